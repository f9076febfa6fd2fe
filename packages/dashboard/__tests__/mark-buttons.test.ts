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
  const groups = given.map(([x, wanted]) => ({ x, wanted, room: 0, opensLeft: false }))
  placeButtons(groups, width, ({ wanted }) => wanted)
  return groups.map(({ room, opensLeft }) => (opensLeft ? -room : room))
}

test('a button takes the free room to the left of its mark where that to the right is too little', () => {
  expect(place(500, [100, 80], [300, 80])).toEqual([196, 196])
  // The second one would cover the third; what the first one leaves free is enough.
  expect(place(500, [100, 80], [300, 80], [340, 80])).toEqual([196, -116, 156])
  expect(place(500, [490, 80])).toEqual([-200])
})

test('where neither side has room for a whole title, the wider one is taken, and no button covers another', () => {
  expect(place(500, [300, 80], [340, 200], [400, 90])).toEqual([-200, 56, 96])
  expect(place(120, [0, 80], [40, 80], [80, 80])).toEqual([36, 36, 36])
})

const marksOf = (...given: Partial<Annotation>[]): readonly Mark[] =>
  toMarks(given.map((one, at) => ({ id: `ann_${at}`, datasets: ['web'], type: 'deploy', time: '2026-01-31T12:00:00Z', ...one })))

test('the button of several marks has the title of one of its color, and how many more there are', () => {
  const marks = marksOf(
    { title: 'Alarm', type: 'monitor' },
    { title: 'Web 7.1', description: 'failed after 3 min' },
    { title: 'Web 7.2' },
  )
  expect(wholeText(marks)).toBe('✕ Web 7.1 +2')
  expect(fitText(marks, 120, measure)).toEqual({ sign: '✕ ', text: 'Web 7.1 +2', isCount: false })
  expect(fitText(marks, 90, measure)).toEqual({ sign: '✕ ', text: '7.1 +2', isCount: false })
  expect(fitText(marks, 60, measure)).toEqual({ sign: '', text: '3', isCount: true })
  expect(fitText(marksOf({ title: 'Alarm' }), 10, measure)).toEqual({ sign: '•', text: '', isCount: false })
})
