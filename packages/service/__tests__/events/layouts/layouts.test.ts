/**
 * Columns and indexes that the service keeps beside the events: that fields with usual names and those that the dataset names get them,
 * that they are used, and that no answer is another for them. Each question has a twin that asks of a copy of the text or, for a number,
 * of a text, for which there is no such column and no index.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { startClickHouse } from '../../../../../__tests__/support/clickhouse-server.ts'
import { testOnClickHouse } from '../../../../../__tests__/support/databases.ts'
import { folderForTests } from '../../../../../__tests__/support/for-tests.ts'
import { addLayouts } from '../../../../event-store/src/schema/field-layout.ts'
import { ask } from '../../http.ts'
import { ingest } from '../../query/ask.ts'
import { DATASET, eventsFrom, type IndexedStore, openIndexed } from './indexed-store.ts'

const ROWS = 101_000
jest.setTimeout(600_000)

/** Questions of one event each, and those that make tables of them; LOGS stands for the dataset. */
const QUESTIONS = JSON.parse(readFileSync(new URL('questions.json', import.meta.url), 'utf8')) as {
  predicates: string[]
  tables: string[]
}
const PREDICATES = QUESTIONS.predicates
/** The same of texts that are computed, so that all events are read. */
const twin = (predicate: string) =>
  predicate
    .replace(/\b(message|host|level|trace)\b(?!')/g, (name) => `substring(${name}, 0)`)
    .replace(/\bstatus\b/g, 'toint(substring(code, 0))')
    .replace(/\bn\b/g, 'toint(substring(number, 0))')
    .replace(/\bshop\b(?! \d)/g, 'substring(shop, 0)')

const TABLES = QUESTIONS.tables.map((query) => query.replaceAll('LOGS', `['${DATASET}']`))
const TWINS =
  '| extend host = substring(host, 0), level = substring(level, 0), status = toint(substring(code, 0)), n = toint(substring(number, 0))'
const tableTwin = (query: string) => `${TWINS} ${query.replaceAll(`['${DATASET}']`, `['${DATASET}'] ${TWINS}`)}`

async function expectSameCounts(indexed: IndexedStore, predicates: readonly string[]): Promise<void> {
  for (const predicate of predicates) {
    const [found, expected] = [
      await indexed.cell(`| where ${predicate} | count`),
      await indexed.cell(`| where ${twin(predicate)} | count`),
    ]
    expect(`${predicate}: ${found}`).toBe(`${predicate}: ${expected}`)
  }
}

async function expectSameAnswers(indexed: IndexedStore): Promise<void> {
  await expectSameCounts(indexed, PREDICATES)
  for (const query of TABLES) expect(await indexed.rows(query)).toEqual(await indexed.rows(tableTwin(query)))
}

const ABSENT = "| where message has 'nowhere' | count"
const ABSENT_TRACE = "| where trace == 'absent' | count"

async function giveIndexes(indexed: IndexedStore): Promise<void> {
  await ingest(indexed, DATASET, eventsFrom(0, ROWS))
  const [line] = await indexed.upkeep()
  expect(line).toMatchObject({ event: 'indexes', dataset: DATASET })
  expect((line as { added: string[] }).added.sort()).toEqual([
    'codes of status',
    'column of code',
    'column of host',
    'column of level',
    'values of trace',
    'words of message',
  ])
  // Each is answered from another index, and those of one dataset are made one after the other.
  await indexed.upkeepUntil(
    async () => (await indexed.examined(ABSENT)) < ROWS / 10 && (await indexed.examined(ABSENT_TRACE)) < ROWS / 4,
  )
}

let indexed: IndexedStore
// It ends before its folder goes.
afterAll(async () => await indexed[Symbol.asyncDispose]())
const dataDir = folderForTests('layouts')
beforeAll(async () => {
  indexed = await openIndexed({ dataDir })
})

test('a dataset of some size is given columns and indexes of fields with usual names, and fewer events are read', async () => {
  await giveIndexes(indexed)
  expect(await indexed.upkeep()).toEqual([])
})

/** Names fields that get columns or indexes, and returns what upkeep then logs. */
async function nameFields(indexedFields: string[]): Promise<Record<string, unknown>[]> {
  const { status, body } = await ask(indexed, 'PUT', `/v2/datasets/${DATASET}`, { body: { indexedFields } })
  expect({ status, body }).toMatchObject({ status: 200, body: { indexedFields } })
  return await indexed.upkeep()
}

test('a slow query says which of its fields the dataset could name', async () => {
  const query = "| where shop has 'shop' and host != '' | mv-expand k = range(1, 1500, 1) | summarize count() by shop"
  expect(await indexed.messages(query)).toMatchObject([
    { code: 'unindexed_field', msg: expect.stringContaining('"shop"'), unindexed: { dataset: DATASET, field: 'shop' } },
  ])
  expect(await indexed.messages("| where shop has 'shop' | count")).toEqual([])
})

test('fields that the dataset names are given what suits their values, and lose it when they are named no more', async () => {
  const [added] = await nameFields(['n', 'shop', 'number', 'absent', 'sizes'])
  expect((added as { added: string[] }).added.sort()).toEqual(['column of shop', 'integers of n', 'values of number'])
  const { layouts } = indexed.events.datasets.get(DATASET)
  expect(await nameFields(['n', 'shop'])).toEqual([])
  expect([layouts.get('n'), layouts.get('shop'), layouts.get('number')]).toEqual(['integers', 'column', undefined])
})

test('a column of an earlier version stays, though neither its name is usual nor the dataset names it', async () => {
  const { datasets, tables } = indexed.events
  const dataset = datasets.get(DATASET)
  await tables.alter(dataset.table, addLayouts(dataset.table, [{ path: 'number', kind: 'column' }]))
  await datasets.setLayouts(dataset, [{ field: 'number', kind: 'column' }])
  expect(await indexed.upkeep()).toEqual([])
  expect(dataset.layouts.get('number')).toBe('column')
  expect(await indexed.cell("| where number == '77' | count")).toBe(1)
})

test('answers are the same with them, for events of before and after, in small and large requests', async () => {
  await expectSameAnswers(indexed)
  await ingest(indexed, DATASET, eventsFrom(ROWS, 40))
  await ingest(indexed, DATASET, eventsFrom(ROWS + 40, 20_000))
  await expectSameAnswers(indexed)
})

test('events that were removed are not found by an index', async () => {
  const before = await indexed.cell("| where message has 'zebrafish' | count")
  // Indexes of the new events may be in the making now; the deletion ends that.
  await indexed.upkeep()
  const cutMs = Date.parse('2026-01-01T00:00:00Z') + 30_000 * 10
  await indexed.events.datasets.trim(DATASET, BigInt(cutMs) * 1_000_000n)
  expect(await indexed.cell("| where message has 'zebrafish' | count")).toBe((before as number) - 2)
  await expectSameAnswers(indexed)
})

/** Each holds for one more event once the fields hold something else too. */
const CHANGED = ['host == 7', 'status > 250 and status < 251', 'n == 0.5', "tostring(n) == 'none'", 'n >= 1000']

test('a field that holds something else from now on loses nothing, and is read from the events again', async () => {
  const counted = async () => {
    const counts: number[] = []
    for (const predicate of CHANGED) counts.push((await indexed.cell(`| where ${predicate} | count`)) as number)
    return counts
  }
  const more = (await counted()).map((count) => count + 1)
  await ingest(indexed, DATASET, [
    { ...eventsFrom(ROWS * 2, 1)[0], host: 7, status: 250.5 },
    { ...eventsFrom(ROWS * 2 + 1, 1)[0], host: { name: 'x' }, n: 0.5 },
    { ...eventsFrom(ROWS * 2 + 2, 1)[0], host: null, n: 'none' },
  ])
  expect(await counted()).toEqual(more)
  await expectSameCounts(indexed, ["host == 'web-7'"])
  expect((await indexed.upkeep()).map(({ removed }) => (removed as string[]).sort())).toEqual([['host', 'n', 'status']])
  expect(await counted()).toEqual(more)
  await expectSameCounts(
    indexed,
    PREDICATES.filter((predicate) => !/host|status|\bn\b/.test(predicate)),
  )
})

test('a service that is started without them answers the same, and takes them out of the catalog', async () => {
  const expected = await indexed.cell("| where message has 'timeout' and level == 'info' | count")
  await indexed[Symbol.asyncDispose]()
  indexed = await openIndexed({ dataDir })
  expect(await indexed.upkeep()).toEqual([])
  expect(await indexed.examined(ABSENT)).toBeLessThan(ROWS)
  await indexed[Symbol.asyncDispose]()
  indexed = await openIndexed({ dataDir, indexes: false })
  const [line] = (await indexed.upkeep()) as { removed: string[] }[]
  expect(line?.removed.sort()).toEqual(['code', 'level', 'message', 'number', 'shop', 'trace'])
  expect(await indexed.cell("| where message has 'timeout' and level == 'info' | count")).toBe(expected)
  expect(await indexed.upkeep()).toEqual([])
})

testOnClickHouse('a ClickHouse server keeps them too', async () => {
  await using server = await startClickHouse()
  await using there = await openIndexed({ server: server.url })
  await giveIndexes(there)
  await ingest(there, DATASET, eventsFrom(ROWS, 20_000))
  await expectSameAnswers(there)
})
