import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { DeploymentEvent, DeploymentState } from '../../src/automations/deployments/deployment-event.ts'
import { join, type Known, knownFrom, readKnown, writeKnown } from '../../src/automations/deployments/known.ts'
import { buildMarker } from '../../src/automations/deployments/marker.ts'

const INTEGRATION = {
  id: 'int_1',
  platform: 'generic' as const,
  name: 'shop',
  datasets: ['web'],
  type: 'deploy',
  title: '{project} {version}',
  environments: [],
  createdAt: '2026-01-01T00:00:00Z',
}

const STATES: DeploymentState[] = ['queued', 'started', 'succeeded', 'failed', 'canceled']
// Few values, so that equal moments, equal counts and equal texts are frequent.
const text = fc.constantFrom('a', 'b', '')
const anEvent: fc.Arbitrary<DeploymentEvent> = fc.record(
  {
    deployment: fc.constant('1'),
    state: fc.constantFrom(...STATES),
    atNs: fc.bigInt(0n, 5n),
    sequence: fc.integer({ min: 0, max: 2 }),
    queuedNs: fc.bigInt(0n, 5n),
    isHearsay: fc.boolean(),
    message: text,
    facts: fc.record({ project: text, branch: text, url: text }, { requiredKeys: [] }),
    environments: fc.constant([]),
  },
  { requiredKeys: ['deployment', 'state', 'atNs', 'facts', 'environments'] },
)
const known = fc.array(anEvent, { minLength: 1, maxLength: 5 }).map(joinAll)

function joinAll(events: readonly DeploymentEvent[]): Known {
  return events.map(knownFrom).reduce(join)
}

const NOTHING: Known = { facts: {} }

test('joining is commutative, associative and idempotent', () => {
  fc.assert(
    fc.property(known, known, known, (a, b, c) => {
      expect(join(a, b)).toEqual(join(b, a))
      expect(join(join(a, b), c)).toEqual(join(a, join(b, c)))
      expect(join(a, a)).toEqual(a)
      expect(join(a, NOTHING)).toEqual(a)
    }),
    { numRuns: 2_000 },
  )
})

test('any order of the same events, with any repeats, is written as the same text and marked as the same annotation', () => {
  const shuffled = fc.array(anEvent, { minLength: 1, maxLength: 6 }).chain((events) =>
    fc.record({
      events: fc.constant(events),
      repeats: fc.array(fc.constantFrom(...events), { maxLength: 6 }).chain((more) => {
        const all = [...events, ...more]
        return fc.shuffledSubarray(all, { minLength: all.length })
      }),
    }),
  )
  fc.assert(
    fc.property(shuffled, ({ events, repeats }) => {
      const [first, second] = [joinAll(events), joinAll(repeats)]
      expect(writeKnown(second)).toBe(writeKnown(first))
      expect(buildMarker('ann_1', second, INTEGRATION)).toEqual(buildMarker('ann_1', first, INTEGRATION))
    }),
    { numRuns: 2_000 },
  )
})

test('more events never take an end away, and no span ends before it begins', () => {
  fc.assert(
    fc.property(known, anEvent, (before, event) => {
      const [earlier, later] = [before, join(before, knownFrom(event))].map((all) => buildMarker('ann_1', all, INTEGRATION))
      if (earlier?.endTimeNs !== undefined) expect(later?.endTimeNs).toBeDefined()
      for (const marker of [earlier, later]) {
        if (marker?.endTimeNs !== undefined) expect(marker.endTimeNs).toBeGreaterThanOrEqual(marker.timeNs)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('what was written is read back', () => {
  fc.assert(fc.property(known, (one) => expect(readKnown(writeKnown(one))).toEqual(one)))
})

const event = (state: DeploymentState, atNs: bigint, more: Partial<DeploymentEvent> = {}): DeploymentEvent => ({
  deployment: '1',
  state,
  atNs,
  facts: {},
  environments: [],
  ...more,
})
const spanOf = (...events: DeploymentEvent[]) => {
  const { timeNs, endTimeNs } = buildMarker('ann_1', joinAll(events), INTEGRATION)
  return [timeNs, endTimeNs]
}

test.each<[string, DeploymentEvent[], (bigint | undefined)[]]>([
  ['under way: a point where it was started', [event('queued', 1n), event('started', 3n)], [3n, undefined]],
  ['only asked for: a point there', [event('queued', 1n)], [1n, undefined]],
  ['started twice: the first counts', [event('started', 3n), event('started', 2n)], [2n, undefined]],
  ['ended: a span', [event('started', 2n), event('succeeded', 5n)], [2n, 5n]],
  ['only its end is known: a span of no length', [event('failed', 5n)], [5n, 5n]],
  [
    'failed, then tried again with success: one span to the success',
    [event('started', 1n), event('failed', 2n), event('succeeded', 6n)],
    [1n, 6n],
  ],
  ['a start behind the end: where it was asked for', [event('queued', 1n), event('failed', 2n), event('started', 4n)], [1n, 2n]],
  [
    'hearsay of its success does not move the end',
    [event('succeeded', 4n), event('succeeded', 9n, { isHearsay: true })],
    [4n, 4n],
  ],
  [
    'hearsay alone: the first counts',
    [event('succeeded', 9n, { isHearsay: true }), event('succeeded', 7n, { isHearsay: true })],
    [7n, 7n],
  ],
])('%s', (_, events, span) => {
  expect(spanOf(...events)).toEqual(span)
  expect(spanOf(...events.toReversed())).toEqual(span)
})

test('two ends within one tick of the clock are told apart by the platform’s count', () => {
  const ends = [event('succeeded', 5n, { sequence: 1 }), event('failed', 5n, { sequence: 2 })]
  expect(joinAll(ends).end?.outcome).toBe('failed')
  expect(joinAll(ends.toReversed()).end?.outcome).toBe('failed')
})
