/**
 * Queries that need more memory than they may have: what can go to the disk goes there, and the rows are the same. On the reader
 * itself, because data of this size takes long to send.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { readerForTests } from './test-reader.ts'

const ROWS = 1_500_000
const MEMORY_MIB = 200
const { reader, directory } = readerForTests({ memoryBytesMax: MEMORY_MIB * 1_048_576, msMax: 100_000 })

const { signal } = new AbortController()
/** @returns the only row */
async function read(sql: string): Promise<unknown> {
  await using result = await reader.read({ sql, params: {} }, signal)
  return JSON.parse(((await result.first()) ?? '').replace(/,$/, ''))
}

/** How often the engine wrote something to the disk for want of memory, since it was opened. */
async function countSpills(event: string): Promise<number> {
  const [count] = (await read(`SELECT sum(value) FROM system.events WHERE event = '${event}'`)) as [number]
  return count
}

const KEYS = `SELECT number AS n, concat('key ', leftPad(toString(number % ${ROWS / 2}), 40, '0')) AS key FROM numbers_mt(${ROWS})`

test.each([
  [
    'groups',
    'ExternalAggregationWritePart',
    `SELECT count(), sum(c), sum(m) FROM (SELECT key, count() AS c, max(n) AS m FROM (${KEYS}) GROUP BY key)`,
  ],
  [
    'rows to sort',
    'ExternalSortWritePart',
    `SELECT count(), sum(r), max(n) FROM (SELECT n, row_number() OVER (ORDER BY key, n) AS r FROM (${KEYS}))`,
  ],
  [
    'rows to join',
    'ExternalJoinWritePart',
    `SELECT count(), sum(a.n), max(b.n) FROM (${KEYS}) AS a INNER JOIN (${KEYS}) AS b ON a.key = b.key AND a.n = b.n`,
  ],
])('too many %s go to the disk', async (what, event, sql) => {
  const before = await countSpills(event)
  const sumOfAll = (ROWS * (ROWS - 1)) / 2
  const expected = {
    groups: [ROWS / 2, ROWS, (3 * ROWS ** 2) / 8 - ROWS / 4],
    'rows to sort': [ROWS, sumOfAll + ROWS, ROWS - 1],
    'rows to join': [ROWS, sumOfAll, ROWS - 1],
  }[what]
  expect(await read(sql)).toEqual(expected)
  expect(await countSpills(event)).toBeGreaterThan(before)
  expect(readdirSync(join(directory, 'tmp'))).toEqual([])
})

test('what cannot go to the disk is told how much it may have', async () => {
  await expect(read(`SELECT length(groupArray(key)) FROM (${KEYS})`)).rejects.toMatchObject({
    status: 432,
    message: expect.stringContaining(`more than ${MEMORY_MIB} MiB of memory`),
  })
})

test('an answer has nothing of a statement that failed before it', async () => {
  await expect(read('SELECT number, throwIf(number = 500000) FROM numbers(1000000)')).rejects.toThrow()
  expect(await read('SELECT 1, 2')).toEqual([1, 2])
})
