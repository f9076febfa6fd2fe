/** What it takes to know how many rows match: nothing beyond the page where that is short. */
import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { readCases } from '../cases.ts'
import { ALWAYS, apl, ingestEach } from './ask.ts'

// Of one process, which remembers what it was asked.
const service = serviceForTests({ args: [] })
const ROWS = 50
const CASES = readCases<{
  pages: Record<string, [where: string, limit: number, matched: number][]>
  totals: { text: string; tables: object[]; status: object }[]
}>(import.meta.url)

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

test.each(Object.entries(CASES.pages))(
  'matches are right for first pages %s, and each row is looked at once',
  async (_, asked) => {
    for (const [where, limit, matched] of asked)
      expect([where, await page(`| where ${where} | limit ${limit}`)]).toEqual([where, [matched, ROWS, Math.min(limit, matched)]])
  },
)

test('a short page behind a cursor has all matches of the query', async () => {
  const first = await apl(service, "['pages'] | where third == 2 | limit 10", ALWAYS)
  const members = { cursor: first.body.status.minCursor }
  for (let asked = 0; asked < 2; asked++) {
    const [matched, , rows] = await page('| where third == 2 | limit 10', members)
    expect([matched, rows]).toEqual([16, 6])
  }
})

test('totals of bins are those of one look at the rows, of nothing too', async () => {
  for (const { text, tables, status } of CASES.totals) {
    const { body } = await apl(service, `['pages'] ${text}`, ALWAYS)
    expect(body.tables.map(({ name, columns }) => [name, columns])).toEqual(tables)
    expect(body.status).toMatchObject(status)
  }
})
