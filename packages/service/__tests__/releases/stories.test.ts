/** One rule of what hurts now, what is healed and what is over, for lists, releases, the time to restore and the page. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { expect, test } from '@jest/globals'
import { hurtsNow, tellStories } from '../../src/automations/releases/stories.ts'

const MINUTE = 60_000
const NOW = Date.UTC(2026, 0, 31, 12)
type Level = number | null

/** A release so many minutes ago, and what its series were before and after it. */
function release(
  minutesAgo: number,
  verdict: string | undefined,
  series: Record<string, [string, Level, Level]>,
  more = {},
): Annotation {
  const compared = Object.entries(series).map(([name, [each, before, after]]) => ({
    ...{ name, verdict: each, before, after, kind: name.includes('p95') ? 'measurement' : 'count', carriers: [] },
  }))
  const details = { verdict, verdictDetails: { series: compared } }
  return {
    ...{ id: `ann_${minutesAgo}`, datasets: ['web'], type: 'deploy', service: 'web' },
    ...{ time: new Date(NOW - minutesAgo * MINUTE).toISOString(), ...(verdict && details), ...more },
  } as unknown as Annotation
}

const errors = (verdict: string, before: number, after: number) => ({
  'web errors': [verdict, before, after] as [string, number, number],
})
const doubled = release(60, 'worse', errors('worse', 0.01, 0.02))

const WORLDS: [world: string, bad: Annotation, later: Annotation[], isHealed: boolean][] = [
  ['nothing came after it', doubled, [], false],
  ['the fix is better', doubled, [release(20, 'better', errors('better', 0.02, 0.01))], true],
  [
    'the fix is cannot tell, and errors are back',
    doubled,
    [release(20, 'inconclusive', errors('inconclusive', 0.02, 0.011))],
    true,
  ],
  [
    'the fix is worse by another series',
    doubled,
    [release(20, 'worse', { ...errors('lower', 0.02, 0.01), x: ['worse', 1, 2] })],
    true,
  ],
  ['the fix is better, and errors are not back', doubled, [release(20, 'better', errors('better', 0.02, 0.016))], false],
  [
    'of a rise ×20 a doubling is left',
    release(60, 'worse', errors('worse', 0.007, 0.14)),
    [release(20, 'better', errors('better', 0.14, 0.015))],
    false,
  ],
  [
    'errors from none are none again',
    release(60, 'worse', errors('worse', 0, 0.05)),
    [release(20, 'better', errors('better', 0.05, 0))],
    true,
  ],
  [
    'traffic was gone and is higher',
    release(60, 'gone', { 'web traffic': ['gone', 28, 0] }),
    [release(20, 'higher', { 'web traffic': ['higher', 0, 30] })],
    true,
  ],
  [
    'traffic was gone and a tenth is back',
    release(60, 'gone', { 'web traffic': ['gone', 28, 0] }),
    [release(20, 'higher', { 'web traffic': ['higher', 0, 3] })],
    false,
  ],
  [
    'latency was gone and is measured',
    release(60, 'gone', { 'web p95': ['gone', 80, null] }),
    [release(20, 'inconclusive', { 'web p95': ['inconclusive', null, 40] })],
    true,
  ],
  [
    'a leak is fixed, told as cannot tell',
    release(60, 'worse', { 'web p95': ['worse', 75, 140] }),
    [release(20, 'inconclusive', { 'web p95': ['inconclusive', 140, 75] })],
    true,
  ],
  [
    'p95 rose by 30 % and is a little better',
    release(60, 'worse', { 'web p95': ['worse', 75, 97] }),
    [release(20, 'better', { 'web p95': ['better', 97, 90] })],
    false,
  ],
  [
    'one of two hurt series is back',
    release(60, 'worse', { ...errors('worse', 0.01, 0.02), 'web p95': ['worse', 75, 140] }),
    [release(20, 'better', { ...errors('better', 0.02, 0.01), 'web p95': ['same', 140, 140] })],
    false,
  ],
  [
    'the fix was of another environment',
    doubled,
    [release(20, 'better', errors('better', 0.02, 0.01), { environment: 'staging' })],
    false,
  ],
  ['the fix was of other series', doubled, [release(20, 'better', { 'api errors': ['better', 0.02, 0.01] })], false],
  ['a flag was switched off', doubled, [release(20, 'better', errors('better', 0.02, 0.01), { type: 'feature-flag' })], true],
  ['it was before it', doubled, [release(90, 'better', errors('better', 0.02, 0.01))], false],
]

test.each(WORLDS)('where %s, it is healed or not for everybody', (_, bad, later, isHealed) => {
  const all = [bad, ...later]
  expect(hurtsNow(bad, all, NOW)).toBe(!isHealed)
  const [story] = tellStories([bad, ...later.filter(({ type }) => type === 'deploy')], all).filter(
    ({ annotation }) => annotation === bad,
  )
  expect(story?.fixedBy).toBe(isHealed ? 'ann_20' : undefined)
  expect(story?.restoreMs).toBe(isHealed ? 40 * MINUTE : undefined)
})

test('a rollback ends what hurts until its own verdict says otherwise, and a week makes it usual', () => {
  const rollback = (verdict?: string, series = {}) => release(5, verdict, series, { title: 'Rollback of web' })
  expect(hurtsNow(doubled, [rollback()], NOW)).toBe(false)
  expect(hurtsNow(doubled, [{ ...rollback(), service: 'api' }], NOW)).toBe(true)
  expect(hurtsNow(doubled, [rollback('inconclusive', errors('inconclusive', 0.02, 0.02))], NOW)).toBe(true)
  expect(hurtsNow(doubled, [], NOW + 8 * 24 * 60 * MINUTE)).toBe(false)
})
