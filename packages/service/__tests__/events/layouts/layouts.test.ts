/**
 * Columns and indexes that the service keeps beside the events: that they are chosen, made and used, and that no answer is another for
 * them. Each question has a twin that asks of a copy of the text, for which there is no column and no index.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { hasClickHouse, startClickHouse } from '../../../../../__tests__/support/clickhouse-server.ts'
import { ingest } from '../../query/ask.ts'
import { DATASET, eventsFrom, type IndexedStore, openIndexed } from './indexed-store.ts'

const ROWS = 101_000
const MINUTES = 60_000

const PREDICATES = [
  "message has 'zebrafish'",
  "message has 'TIMEOUT'",
  "message !has 'timeout'",
  "message has_cs 'Miss'",
  "message has_cs 'miss'",
  "message has 'request finished'",
  "message has 'after 5 ms'",
  "message has 'straße'",
  "message contains 'imeou'",
  "message contains 'BRAFI'",
  "message contains_cs 'brafi'",
  "message !contains 'cache'",
  "message contains '%'",
  "message startswith 'order'",
  "message has_any ('zebrafish', 'nothing')",
  "message has_all ('cache', 'retry')",
  "host == 'web-7'",
  "host != 'web-7'",
  "host in ('web-1', 'web-2', 'x')",
  "host =~ 'WEB-3'",
  "host > 'web-30'",
  "host has '12'",
  "host contains 'EB-1'",
  'strlen(host) == 5 and isnotnull(host)',
  'isnull(level)',
  'isnotnull(level)',
  "level == 'info'",
  "level != 'info'",
  "level in~ ('warn')",
  "trace == 'b5f2a1a1-1'",
  "trace in ('0-0', '9e3779b1-1')",
  "trace != '0-0'",
]
/** The same of texts that are computed, so that all events are read. */
const twin = (predicate: string) => predicate.replace(/\b(message|host|level|trace)\b(?!')/g, (name) => `substring(${name}, 0)`)

const TABLES = [
  '| summarize n = count() by host | sort by host asc',
  '| summarize n = count(), d = dcount(host), m = max(level), k = min(host) by level | sort by n desc',
  '| summarize h = make_set(level), t = topk(level, 1) | project array_length(h)',
  '| extend both = strcat(host, level) | summarize count() by both | sort by both asc | limit 50',
  '| where n < 300 | project n, host, level, copy = iff(n % 2 == 0, host, level) | sort by n asc',
  '| where n < 50 | join kind=leftouter (LOGS | where n < 99 | summarize m = count() by host) on host | project n, host, m | sort by n asc',
  "| where n < 50 | union (LOGS | where n < 9 | extend host = 'other') | summarize count() by host | sort by host asc",
  '| where n < 200 | distinct host, level | sort by host asc, level asc',
  '| where n < 100 | top 7 by host | project n, host',
].map((query) => query.replaceAll('LOGS', `['${DATASET}']`))
const tableTwin = (query: string) =>
  `| extend host = substring(host, 0), level = substring(level, 0) ${query.replaceAll(`['${DATASET}']`, `['${DATASET}'] | extend host = substring(host, 0), level = substring(level, 0)`)}`

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

async function giveIndexes(indexed: IndexedStore): Promise<void> {
  await ingest(indexed, DATASET, eventsFrom(0, ROWS))
  const [line] = await indexed.upkeep()
  expect(line).toMatchObject({ event: 'indexes', dataset: DATASET })
  const added = (line as { added: string[] }).added.map((text) => text.replace(/,.*/, ''))
  expect(added.sort()).toEqual(['column of host', 'column of level', 'values of trace', 'words of message'])
  await indexed.upkeepUntil(async () => (await indexed.examined(ABSENT)) < ROWS / 10)
}

let indexed: IndexedStore
const dataDir = mkdtempSync(join(tmpdir(), 'layouts-'))
beforeAll(async () => {
  indexed = await openIndexed({ dataDir })
})
afterAll(async () => {
  await indexed[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

test(
  'a dataset of some size is given columns and indexes of what its events are like, and fewer events are read',
  async () => {
    await giveIndexes(indexed)
    expect(await indexed.examined("| where trace == 'absent' | count")).toBeLessThan(ROWS / 4)
    expect(await indexed.upkeep()).toEqual([])
  },
  5 * MINUTES,
)

test(
  'answers are the same with them, for events of before and after, in small and large requests',
  async () => {
    await expectSameAnswers(indexed)
    await ingest(indexed, DATASET, eventsFrom(ROWS, 40))
    await ingest(indexed, DATASET, eventsFrom(ROWS + 40, 20_000))
    await expectSameAnswers(indexed)
  },
  10 * MINUTES,
)

test(
  'events that were removed are not found by an index',
  async () => {
    const before = await indexed.cell("| where message has 'zebrafish' | count")
    // Indexes of the new events may be in the making now; the deletion ends that.
    await indexed.upkeep()
    const cutMs = Date.parse('2026-01-01T00:00:00Z') + 30_000 * 10
    await indexed.store.events.datasets.trim(DATASET, BigInt(cutMs) * 1_000_000n)
    expect(await indexed.cell("| where message has 'zebrafish' | count")).toBe((before as number) - 2)
    await expectSameAnswers(indexed)
  },
  10 * MINUTES,
)

test(
  'a field that holds something else from now on loses nothing, and is read from the events again',
  async () => {
    await ingest(indexed, DATASET, [
      { ...eventsFrom(ROWS * 2, 1)[0], host: 7 },
      { ...eventsFrom(ROWS * 2 + 1, 1)[0], host: { name: 'x' } },
      { ...eventsFrom(ROWS * 2 + 2, 1)[0], host: null },
    ])
    expect(await indexed.cell('| where host == 7 | count')).toBe(1)
    expect(await indexed.cell("| where host == 'web-7' | count")).toBe(
      await indexed.cell("| where substring(host, 0) == 'web-7' | count"),
    )
    expect(await indexed.upkeep()).toMatchObject([{ event: 'indexes', removed: ['host'] }])
    expect(await indexed.cell('| where host == 7 | count')).toBe(1)
    await expectSameCounts(
      indexed,
      PREDICATES.filter((predicate) => !predicate.includes('host')),
    )
  },
  10 * MINUTES,
)

test(
  'a service that is started without them answers the same, and takes them out of the catalogue',
  async () => {
    const expected = await indexed.cell("| where message has 'timeout' and level == 'info' | count")
    await indexed[Symbol.asyncDispose]()
    indexed = await openIndexed({ dataDir })
    expect(await indexed.upkeep()).toEqual([])
    expect(await indexed.examined(ABSENT)).toBeLessThan(ROWS)
    await indexed[Symbol.asyncDispose]()
    indexed = await openIndexed({ dataDir, indexes: false })
    const [line] = (await indexed.upkeep()) as { removed: string[] }[]
    expect(line?.removed.sort()).toEqual(['level', 'message', 'trace'])
    expect(await indexed.cell("| where message has 'timeout' and level == 'info' | count")).toBe(expected)
    expect(await indexed.upkeep()).toEqual([])
  },
  10 * MINUTES,
)

const testOnServer = hasClickHouse ? test : test.skip
testOnServer(
  'a ClickHouse server keeps them too',
  async () => {
    await using server = await startClickHouse()
    await using there = await openIndexed({ server: server.url })
    await giveIndexes(there)
    await ingest(there, DATASET, eventsFrom(ROWS, 20_000))
    await expectSameAnswers(there)
  },
  10 * MINUTES,
)
