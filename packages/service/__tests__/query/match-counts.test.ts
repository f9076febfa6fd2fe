import type { Statement } from '@deployment-annotations/apl/plan'
import { expect, test } from '@jest/globals'
import { MatchCounts } from '../../src/query/match-counts.ts'
import type { Reader } from '../../src/store/reading/reader.ts'
import { ResultRows } from '../../src/store/reading/result-rows.ts'

const LOOK: Statement = { sql: 'look', params: {} }
const COUNT: Statement = { sql: 'count', params: {} }
const reader: Reader = {
  read: () => Promise.reject(new Error('nothing is read')),
  stateOf: () => LOOK,
  load: () => ({}),
  close: async () => undefined,
}

/** An engine that says in which state the table is, and how many rows match in it. */
function engine(table: { state: string; matching: number }) {
  const ran: string[] = []
  const run = async ({ sql }: Statement) => {
    ran.push(sql)
    const cell = sql === 'look' ? `"${table.state}"` : table.matching
    return ResultRows.of(Buffer.from(`{"data":[\n\t\t[${cell}]\n],"rows": 1,"statistics":{"rows_read": 1}}`))
  }
  return { ran, run }
}

test('the matches of a page after the first are not counted again until the table holds other events', async () => {
  const counts = new MatchCounts(reader)
  const table = { state: '77:20', matching: 10 }
  const { ran, run } = engine(table)
  const ask = async () => {
    const counter = counts.of(COUNT, ['events_1'])
    return [await counter.look(run), await counter.count(run)]
  }
  expect([await ask(), await ask(), ran]).toEqual([
    [20, 10],
    [20, 10],
    ['look', 'count', 'look'],
  ])
  Object.assign(table, { state: '78:24', matching: 12 })
  expect([await ask(), ran.length]).toEqual([[24, 12], 5])
})
