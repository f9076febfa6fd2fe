import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { INTEGRATION } from '../../../service/__tests__/deployments/receiver.ts'
import { buildAnnotation } from '../../src/platforms/annotation.ts'
import {
  type Deployment,
  deploymentFrom,
  formatDeployment,
  mergeDeployments,
  parseDeployment,
} from '../../src/platforms/deployment.ts'
import type { DeploymentEvent, DeploymentState } from '../../src/platforms/deployment-event.ts'

const NAMING = { ...INTEGRATION, title: '{project} {version}' }

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
    isImplied: fc.boolean(),
    message: text,
    facts: fc.record({ project: text, branch: text, url: text }, { requiredKeys: [] }),
    environments: fc.constant([]),
  },
  { requiredKeys: ['deployment', 'state', 'atNs', 'facts', 'environments'] },
)
const aDeployment = fc.array(anEvent, { minLength: 1, maxLength: 5 }).map(mergeAll)

function mergeAll(events: readonly DeploymentEvent[]): Deployment {
  return events.map(deploymentFrom).reduce(mergeDeployments)
}

const merge = mergeDeployments
const NOTHING: Deployment = { facts: {} }

test('merging is commutative, associative and idempotent', () => {
  fc.assert(
    fc.property(aDeployment, aDeployment, aDeployment, (a, b, c) => {
      expect(merge(a, b)).toEqual(merge(b, a))
      expect(merge(merge(a, b), c)).toEqual(merge(a, merge(b, c)))
      expect(merge(a, a)).toEqual(a)
      expect(merge(a, NOTHING)).toEqual(a)
    }),
    { numRuns: 2_000 },
  )
})

test('any order of the same events, with any repeats, is stored as the same text and shown as the same annotation', () => {
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
      const [first, second] = [mergeAll(events), mergeAll(repeats)]
      expect(formatDeployment(second)).toBe(formatDeployment(first))
      expect(buildAnnotation(second, NAMING)).toEqual(buildAnnotation(first, NAMING))
    }),
    { numRuns: 2_000 },
  )
})

test('more events never take an end away, and no span ends before it begins', () => {
  fc.assert(
    fc.property(aDeployment, anEvent, (before, event) => {
      const [earlier, later] = [before, merge(before, deploymentFrom(event))].map((all) => buildAnnotation(all, NAMING))
      if (earlier?.endTimeNs !== undefined) expect(later?.endTimeNs).toBeDefined()
      for (const annotation of [earlier, later]) {
        if (annotation?.endTimeNs !== undefined) expect(annotation.endTimeNs).toBeGreaterThanOrEqual(annotation.timeNs)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('the stored text is the one that earlier versions wrote', () => {
  const stored =
    '{"queuedNs":"1n","startedNs":"2n","end":{"atNs":"5n","sequence":3,"outcome":"succeeded","isHearsay":true,"message":""},' +
    '"facts":{"project":{"atNs":"5n","sequence":3,"value":"shop"}}}'
  expect(parseDeployment(stored)).toMatchObject({ queuedNs: 1n, end: { isImplied: true }, facts: { project: { value: 'shop' } } })
  expect(formatDeployment(parseDeployment(stored))).toBe(stored)
})

test('what was written is read back', () => {
  fc.assert(fc.property(aDeployment, (one) => expect(parseDeployment(formatDeployment(one))).toEqual(one)))
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
  const { timeNs, endTimeNs } = buildAnnotation(mergeAll(events), NAMING)
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
  ['an implied success does not move the end', [event('succeeded', 4n), event('succeeded', 9n, { isImplied: true })], [4n, 4n]],
  [
    'implied ends alone: the first counts',
    [event('succeeded', 9n, { isImplied: true }), event('succeeded', 7n, { isImplied: true })],
    [7n, 7n],
  ],
])('%s', (_, events, span) => {
  expect(spanOf(...events)).toEqual(span)
  expect(spanOf(...events.toReversed())).toEqual(span)
})

test('two ends within one tick of the clock are told apart by the platform’s count', () => {
  const ends = [event('succeeded', 5n, { sequence: 1 }), event('failed', 5n, { sequence: 2 })]
  expect(mergeAll(ends).end?.outcome).toBe('failed')
  expect(mergeAll(ends.toReversed()).end?.outcome).toBe('failed')
})
