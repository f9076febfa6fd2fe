import { setImmediate } from 'node:timers/promises'
import type { Plan, Statement } from '@deployment-annotations/apl/sql/plan'
import { expect, test } from '@jest/globals'
import type { Reader } from '../../../event-store/src/reading/reader.ts'
import { ResultRows } from '../../../event-store/src/reading/result-rows.ts'
import { execute, MatchCounts } from '../../src/query/execute.ts'

const LOOK: Statement = { sql: 'look', params: {} }
const PLAN = { kind: 'rows', sql: 'page', params: {}, count: { sql: 'count', params: {} } } as unknown as Plan
const reader: Reader = {
  read: () => Promise.reject(new Error('nothing is read')),
  admit: () => Promise.reject(new Error('nothing is read')),
  stateOf: () => LOOK,
  load: () => ({}),
  close: async () => undefined,
}

test('whether pages of a query are full is known by what was seen last of its shape', () => {
  const counts = new MatchCounts(reader)
  const wasFull = (sql = 'page') => counts.of({ ...PLAN, sql }, ['events_1']).wasFull
  expect(wasFull()).toBe(false)
  counts.of(PLAN, ['events_1']).note(true)
  expect([wasFull(), wasFull('another')]).toEqual([true, false])
  counts.of(PLAN, ['events_1']).note(false)
  expect(wasFull()).toBe(false)
})

interface Options {
  hasCursor?: boolean
  rowsThere?: number
  /** What the engine says in which state the table is. */
  state?: string
}

/** What is run for a page of so many rows, of two at most, over and over. */
async function statementsOf(counts: MatchCounts, rows: number, options: Options = {}) {
  const ran: string[] = []
  const read: Reader['read'] = async ({ sql }) => {
    ran.push(sql)
    const lines =
      sql === 'page'
        ? Array.from({ length: rows }, () => '\t\t[1]')
        : [sql === 'look' ? `\t\t["${options.state ?? '77:20'}"]` : '\t\t[10]']
    return ResultRows.of(Buffer.from(`{"data":[\n${lines.join(',\n')}\n],"rows": 1,"statistics":{"rows_read": 30}}`))
  }
  const plan = { ...PLAN, columns: [], cells: {}, order: [], groups: [], limit: 2 } as unknown as Plan
  const { hasCursor = false, rowsThere } = options
  const { signal } = new AbortController()
  const counter = counts.of(plan, ['events_1'])
  await using found = await execute(plan, {
    reader: { ...reader, read },
    caller: { id: '' },
    hasCursor,
    counter,
    rowsThere,
    signal,
  })
  return { ran, matched: found.rowsMatched, examined: found.rowsExamined }
}

test('a short first page runs nothing else where the rows of its tables are known, and a full one counts', async () => {
  const counts = new MatchCounts(reader)
  expect(await statementsOf(counts, 1, { rowsThere: 20 })).toEqual({ ran: ['page'], matched: 1, examined: 20 })
  expect(await statementsOf(counts, 1)).toEqual({ ran: ['look', 'page'], matched: 1, examined: 20 })
  expect(await statementsOf(counts, 2, { rowsThere: 20 })).toEqual({ ran: ['page', 'look', 'count'], matched: 10, examined: 20 })
  // From now on pages of this query are expected to be full.
  expect((await statementsOf(counts, 2, { rowsThere: 20 })).ran).toEqual(['look', 'page'])
  const later = await statementsOf(counts, 2, { rowsThere: 24, state: '78:24' })
  expect(later).toEqual({ ran: ['look', 'page', 'count'], matched: 10, examined: 24 })
  expect(await statementsOf(counts, 1, { rowsThere: 24, state: '78:24', hasCursor: true })).toMatchObject({
    ran: ['look', 'page'],
    matched: 10,
  })
})

test('a count that was begun is given up where the page is short', async () => {
  const counts = new MatchCounts(reader)
  counts.of(PLAN, ['events_1']).note(true)
  let ended: AbortSignal | undefined
  const read: Reader['read'] = async ({ sql }, signal) => {
    if (sql === 'count') ended = signal
    if (sql === 'count') await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const cell = sql === 'look' ? '"77:20"' : '1'
    // Until the count has begun.
    for (let turns = 0; sql === 'page' && !ended && turns < 1_000; turns++) await setImmediate()
    return ResultRows.of(Buffer.from(`{"data":[\n\t\t[${cell}]\n],"rows": 1,"statistics":{"rows_read": 1}}`))
  }
  const plan = { ...PLAN, columns: [], cells: {}, order: [], groups: [], limit: 2 } as unknown as Plan
  const counter = counts.of(plan, ['events_1'])
  const { signal } = new AbortController()
  const parts = { reader: { ...reader, read }, caller: { id: '' }, hasCursor: false, counter, rowsThere: 20, signal }
  await using found = await execute(plan, parts)
  expect([found.rowsMatched, ended?.aborted]).toEqual([1, true])
})
