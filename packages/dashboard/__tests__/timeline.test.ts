/** The times below the timeline of annotations. */
import { expect, test } from '@jest/globals'
import { ticksOf } from '../src/all-annotations/timeline.ts'

const range = (start: string, end: string) => ({ startMs: Date.parse(start), endMs: Date.parse(end) })
const written = (extent: ReturnType<typeof range>) => ticksOf(extent, 'UTC').map(({ text, above }) => [text, above])

test('are round, and name the day once', () => {
  expect(written(range('2026-01-31T15:59:26Z', '2026-01-31T18:38:35Z'))).toEqual([
    ['16:00', '31 Jan 2026'],
    ['17:00', ''],
    ['18:00', ''],
  ])
  expect(written(range('2026-01-31T20:30:00Z', '2026-02-01T04:00:00Z'))).toEqual([
    ['22:00', '31 Jan 2026'],
    ['00:00', '1 Feb 2026'],
    ['02:00', ''],
    ['04:00', ''],
  ])
  expect(written(range('2026-01-31T12:00:00Z', '2026-01-31T12:01:00Z'))[1]).toEqual(['12:00:15', ''])
})

test('are days of which the year is named once', () => {
  expect(written(range('2025-12-29T06:00:00Z', '2026-01-02T06:00:00Z'))).toEqual([
    ['30 Dec', '2025'],
    ['31 Dec', ''],
    ['1 Jan', '2026'],
    ['2 Jan', ''],
  ])
})

test('lie where their times are', () => {
  const [first] = ticksOf(range('2026-01-31T15:30:00Z', '2026-01-31T17:30:00Z'), 'UTC')
  expect(first).toMatchObject({ text: '15:30', left: 0 })
})
