/** Where annotations lie on a chart, and which of them a chart shows. */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { expect, test } from '@jest/globals'
import { colorOf } from '../src/annotations/verdict.ts'
import { countBy, visibleOn } from '../src/annotations/visible.ts'
import { GROUP_PX, layoutMarks, mostUrgent, toMarks } from '../src/chart/marks.ts'

const at = (second: number, more: Partial<Annotation> = {}): Annotation => ({
  id: `ann_${second}`,
  datasets: ['web'],
  type: 'deploy',
  time: new Date(second * 1_000).toISOString(),
  ...more,
})
const until = (second: number) => new Date(second * 1_000).toISOString()
/** One pixel a second. */
const layout = (...annotations: Annotation[]) =>
  layoutMarks(toMarks(annotations), { startMs: 0, endMs: 1_000_000 }, 1_000, () => 90)

test('what changed something is a line and a button, anything else a button alone, also a span', () => {
  const changed = at(100, { verdict: 'better' })
  const incident = at(300, { type: 'incident', endTime: until(400) })
  expect(layout(changed, incident, at(600, { verdict: 'worse', hurtsNow: true }), at(800, { verdict: 'same' }))).toMatchObject({
    lines: [
      { x: 100, color: 'var(--pole)' },
      { x: 600, color: 'var(--bad)' },
    ],
    groups: [{ x: 100, room: 90, isRight: false }, { x: 300 }, { x: 600, isRight: true }, { x: 800 }],
  })
})

test('marks too close to tell apart share a button, and no two buttons of a row are closer than a finger', () => {
  const many = Array.from({ length: 500 }, (_, n) => at(n * 3))
  const { groups } = layout(...many)
  expect(groups.flatMap(({ marks }) => marks)).toHaveLength(334)
  for (const [index, { x }] of groups.entries())
    if (index > 1) expect(x - (groups[index - 2]?.x ?? 0)).toBeGreaterThanOrEqual(GROUP_PX)
})

test('the button of what was just deployed lies to the left of its mark, where its title has room', () => {
  expect(layout(at(500), at(990)).groups).toMatchObject([{ opensLeft: false }, { x: 990, room: 90, opensLeft: true }])
})

test('a span that begins before the chart keeps its button at the edge', () => {
  const wide = at(-500, { type: 'backup', endTime: until(5_000) })
  expect(layout(wide)).toMatchObject({ lines: [], groups: [{ x: 0 }] })
})

test('what lies outside is not drawn', () => {
  expect(layout(at(-5), at(1_001), at(-10, { endTime: until(-1) }))).toEqual({ groups: [], lines: [] })
})

test('so many lines that they would hide the values are left out', () => {
  const marks = (count: number) => Array.from({ length: count }, (_, n) => at((n * 1_000) / count, { verdict: 'better' }))
  expect([layout(...marks(70)).lines.length, layout(...marks(80)).lines]).toEqual([70, []])
})

test('red hurts now, amber is open, gray is over or did no harm, and the most urgent of a group is named', () => {
  const [hurts, open, hurt, harmless] = [{ verdict: 'worse', hurtsNow: true }, { open: true }, { verdict: 'gone' }, {}].map(
    (more, n) => at(n, more as Partial<Annotation>),
  ) as [Annotation, Annotation, Annotation, Annotation]
  const colors = [hurts, open, hurt, harmless].map(colorOf)
  expect(colors).toEqual(['var(--bad)', 'var(--warning)', 'var(--muted)', 'var(--muted)'])
  expect(mostUrgent(toMarks([harmless, hurt, open, hurts]))).toBe(hurts)
  expect(mostUrgent(toMarks([harmless, hurt, open]))).toBe(open)
  expect(mostUrgent(toMarks([harmless, hurt]))).toBe(hurt)
})

test('a chart shows the annotations of its datasets that no toggle hides', () => {
  const both = at(1, { datasets: ['web', 'api'] })
  const api = at(2, { datasets: ['api'], type: 'incident' })
  const show = (datasets: string[], hiddenDatasets: string[] = [], hiddenTypes: string[] = []) =>
    visibleOn(datasets, [both, api], { hiddenDatasets, hiddenTypes })
  expect(show(['web'])).toEqual([both])
  expect(show(['api'])).toEqual([both, api])
  expect(show(['api'], ['web'])).toEqual([both, api])
  expect(show(['web'], ['web'])).toEqual([])
  expect(show(['web', 'api'], ['web'])).toEqual([both, api])
  expect(show(['api'], [], ['incident'])).toEqual([both])
  expect([...countBy([both, api], ({ datasets }) => datasets)]).toEqual([
    ['web', 1],
    ['api', 2],
  ])
})
