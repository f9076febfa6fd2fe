/** What stands on the buttons of marks, and on which side of its mark each lies. */
import { readFileSync } from 'node:fs'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { expect, test } from '@jest/globals'
import { testGolden } from '../../apl/__tests__/support/golden.ts'
import { fitTitle } from '../src/chart/fit-title.ts'
import { fitText, wholeText } from '../src/chart/mark-text.ts'
import { type Mark, toMarks } from '../src/chart/marks.ts'
import { placeButtons } from '../src/chart/place-buttons.ts'

/** Every letter is ten pixels wide. */
const measure = (text: string) => [...text].length * 10

testGolden(JSON.parse(readFileSync(new URL('mark-buttons.json', import.meta.url), 'utf8')), (text) => {
  const [letters = '', title = ''] = text.split(' letters: ')
  return fitTitle(title, Number(letters) * 10, measure)
})

const place = (width: number, ...given: [x: number, wanted: number][]) => {
  const groups = given.map(([x, wanted]) => ({ x, wanted, room: 0, opensLeft: false, row: 0 }))
  placeButtons(groups, width, ({ wanted }) => wanted)
  return groups.map(({ room, opensLeft, row }) => [opensLeft ? -room : room, row])
}

test('every button has its room in one of two rows, to the left of its mark where that to the right is too little', () => {
  expect(place(500, [100, 80], [140, 80], [185, 80], [250, 80], [300, 40], [490, 60])).toEqual([
    [80, 0],
    [80, 1],
    [80, 0],
    [80, 1],
    [40, 0],
    [-60, 0],
  ])
})

test('where three meet, the one that began farthest away is shortened, and none covers another', () => {
  expect(place(500, [0, 80], [30, 80], [60, 80])).toEqual([
    [56, 0],
    [80, 1],
    [80, 0],
  ])
})

const marksOf = (...given: Partial<Annotation>[]): readonly Mark[] =>
  toMarks(given.map((one, at) => ({ id: `ann_${at}`, datasets: ['web'], type: 'deploy', time: '2026-01-31T12:00:00Z', ...one })))

test('the button of several marks has their number, and the sign of one that hurt if there is space', () => {
  const marks = (count: number, first: Partial<Annotation>) =>
    marksOf(...Array.from({ length: count }, (_, at) => ({ title: 'Web 7.1', ...(at === 0 && first) })))
  expect(wholeText(marks(3, { description: 'failed after 3 min' }))).toBe('3')
  const hurt = marks(250, { verdict: 'worse' })
  expect(fitText(hurt, 50, measure)).toEqual({ sign: '● ', text: '250', isCount: true })
  expect(fitText(hurt, 30, measure)).toEqual({ sign: '', text: '250', isCount: true })
  expect(fitText(marksOf({ title: 'Alarm' }), 10, measure)).toEqual({ sign: '•', text: '', isCount: false })
})

test('a mark has the version of its release, and its title where that says more', () => {
  const own = { title: 'web 2.15.0', version: '2.15.0' }
  const others = [{ service: 'api' }, { datasets: ['web', 'api'] }, { environment: 'staging' }, { version: undefined }]
  const labels = [own, ...others.map((more) => ({ ...own, ...more }))].map((one) =>
    wholeText(marksOf(one as Partial<Annotation>)),
  )
  expect(labels).toEqual(['2.15.0', ...others.map(() => 'web 2.15.0')])
  expect(wholeText(marksOf({ title: 'Rollback to 2.14.0', version: '2.14.0' }))).toBe('Rollback to 2.14.0')
})
