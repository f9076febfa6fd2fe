/** Where annotations lie on a chart, and which of them a chart shows. */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { expect, test } from '@jest/globals'
import { countBy, visibleOn } from '../src/annotations/visible.ts'
import { GROUP_PX, layoutMarks, toMarks, WORSE } from '../src/chart/marks.ts'

const at = (second: number, more: Partial<Annotation> = {}): Annotation => ({
  id: `ann_${second}`,
  datasets: ['web'],
  type: 'deploy',
  time: new Date(second * 1_000).toISOString(),
  ...more,
})
const until = (second: number) => new Date(second * 1_000).toISOString()
/** One pixel a second. */
const toX = (ms: number) => ms / 1_000
const layout = (...annotations: Annotation[]) => layoutMarks(toMarks(annotations), toX, 1_000, () => 90)

test('a point is a line and a button, a span a band between two lines', () => {
  expect(layout(at(100), at(300, { endTime: until(400) }))).toMatchObject({
    lines: [{ x: 100 }, { x: 300 }, { x: 400 }],
    bands: [{ x: 300, width: 100 }],
    groups: [
      { x: 100, room: 196, isRight: false },
      { x: 300, room: 200 },
    ],
  })
})

test('marks too close to tell apart share a button, and no two buttons are closer than a finger', () => {
  const many = Array.from({ length: 500 }, (_, n) => at(n * 3))
  const { groups } = layout(...many)
  expect(groups.flatMap(({ marks }) => marks)).toHaveLength(334)
  for (const [index, { x }] of groups.entries())
    if (index > 0) expect(x - (groups[index - 1]?.x ?? 0)).toBeGreaterThanOrEqual(GROUP_PX)
})

test('the button of what was just deployed lies to the left of its mark, where its title has room', () => {
  expect(layout(at(500), at(990)).groups).toMatchObject([{ opensLeft: false }, { x: 990, room: 200, opensLeft: true }])
})

test('a span that begins before the chart or ends after it is cut at the edge, and keeps its button', () => {
  const wide = at(-500, { endTime: until(5_000) })
  expect(layout(wide)).toMatchObject({ bands: [{ x: 0, width: 1_000 }], lines: [], groups: [{ x: 0 }] })
})

test('what lies outside is not drawn', () => {
  expect(layout(at(-5), at(1_001), at(-10, { endTime: until(-1) }))).toEqual({
    groups: [],
    bands: [],
    bars: [],
    lines: [],
    crowds: [],
  })
})

test('bands of one type that overlap are one, those of another type stay apart', () => {
  const { bands } = layout(
    at(100, { endTime: until(200) }),
    at(150, { endTime: until(300) }),
    at(160, { endTime: until(170), type: 'incident' }),
    at(400, { endTime: until(410) }),
  )
  expect(bands).toEqual([
    { x: 100, width: 200, type: 'deploy' },
    { x: 400, width: 10, type: 'deploy' },
    { x: 160, width: 10, type: 'incident' },
  ])
})

test('more spans than a chart can be colored by are bars in rows, of which none covers another', () => {
  const spans = [100, 110, 120, 400, 500].map((from) => at(from, { endTime: until(from + 50), type: 'backup' }))
  const { bands, bars, lines } = layout(...spans)
  expect(bands).toEqual([])
  expect(lines).toEqual([])
  expect(bars.map(({ x, width, row }) => [x, width, row])).toEqual([
    [100, 50, 0],
    [110, 50, 1],
    [120, 50, 2],
    [400, 50, 0],
    [500, 50, 0],
  ])
})

test('where three hundred marks meet they are bars in rows; of thousands only the density is shown', () => {
  const marks = (count: number) => Array.from({ length: count }, (_, n) => at((n * 1_000) / count))
  const some = layout(...marks(300))
  expect(some.bars).toHaveLength(300)
  expect(new Set(some.bars.map(({ row }) => row))).toEqual(new Set([0, 1]))
  expect([some.lines, some.crowds]).toEqual([[], []])
  const many = layout(...marks(3_000))
  expect(many.bars).toEqual([])
  expect(many.crowds.length).toBeGreaterThan(100)
})

test('the time in which a release was found to be worse is a band, also where other spans are bars', () => {
  const windows = { before: { startTime: until(0), endTime: until(590) }, after: { startTime: until(610), endTime: until(700) } }
  const verdictDetails = { windows, series: [] } as unknown as NonNullable<Annotation['verdictDetails']>
  const worse = at(590, { endTime: until(600), verdict: 'worse', verdictDetails })
  const others = [100, 110, 120, 130, 140].map((from) => at(from, { endTime: until(from + 50), type: 'backup' }))
  expect(layout(...others, worse).bands).toEqual([{ x: 590, width: 110, type: WORSE }])
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
  expect(countBy([both, api], ({ datasets }) => datasets)).toEqual([
    ['api', 2],
    ['web', 1],
  ])
})
