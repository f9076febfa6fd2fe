/** What it takes to know how many rows match: nothing beyond the page where that is short. */
import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { readCases } from '../cases.ts'
import { ALWAYS, apl, ingestEach } from './ask.ts'

// Of one process, which remembers what it was asked.
const service = serviceForTests({ args: [] })
const ROWS = 50

beforeAll(async () => {
  await ingestEach(service, 'pages', ROWS, (n) => ({
    _time: new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString(),
    n,
    third: n % 3,
  }))
})

/** @returns matches, rows that were looked at, and rows of the page */
async function page(text: string, members: object = {}): Promise<unknown[]> {
  const { body } = await apl(service, `['pages'] ${text}`, { ...ALWAYS, ...members })
  return [body.status.rowsMatched, body.status.rowsExamined, body.matches.length]
}

test('a first page that is short looks at each row once, however often it is asked for', async () => {
  for (const [value, rows] of [
    [1, 17],
    [2, 16],
    [1, 17],
  ])
    expect(await page(`| where third == ${value} | limit 20`)).toEqual([rows, ROWS, rows])
})

test('a full page is counted, the first time and each time after it', async () => {
  for (const value of [0, 1, 2, 0]) {
    const [matched, , rows] = await page(`| where third == ${value} | limit 10`)
    expect([matched, rows]).toEqual([value === 2 ? 16 : 17, 10])
  }
})

test('matches are right where pages of one query are full in turn', async () => {
  for (const least of [0, 45, 0, 49, 0, 50]) {
    const [matched, , rows] = await page(`| where n >= ${least} | limit 6`)
    expect([least, matched, rows]).toEqual([least, ROWS - least, Math.min(6, ROWS - least)])
  }
})

test('a short page behind a cursor has all matches of the query', async () => {
  const first = await apl(service, "['pages'] | where third == 2 | limit 10", ALWAYS)
  const members = { cursor: first.body.status.minCursor }
  for (let asked = 0; asked < 2; asked++) {
    const [matched, , rows] = await page('| where third == 2 | limit 10', members)
    expect([matched, rows]).toEqual([16, 6])
  }
})

test('totals of bins are those of one look at the rows, of nothing too', async () => {
  for (const { text, tables, status } of readCases<{ text: string; tables: object[]; status: object }[]>(import.meta.url)) {
    const { body } = await apl(service, `['pages'] ${text}`, ALWAYS)
    expect(body.tables.map(({ name, columns }) => [name, columns])).toEqual(tables)
    expect(body.status).toMatchObject(status)
  }
})
