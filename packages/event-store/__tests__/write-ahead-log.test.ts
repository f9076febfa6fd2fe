/**
 * The write-ahead log of events by itself, over a real engine and real records: what it takes, and what it makes of what a crash left.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { ofEachTest } from '../../../__tests__/support/for-tests.ts'
import { NEW_SETTINGS, openDataset, reserveDataset } from '../../records/src/datasets/dataset-records.ts'
import { ServiceError } from '../../runtime/src/errors.ts'
import { decodeState, encodeEntry, encodeState, type LogState, type WaitingRows } from '../src/write/log-entries.ts'
import { readLog } from '../src/write/log-reading.ts'
import { type LogTables, WriteAheadLog } from '../src/write/write-ahead-log.ts'
import { asBlocks, openTestStore } from './test-store.ts'
import { listWaitingRows } from './waiting-rows.ts'

const TABLE = 'events_0123456789'
const TIME_NS = 1_700_000_000_000_000_000n

/** A request of some rows, with a `_sysTime` of its own. @param padding bytes that each row has besides */
function request(number: number, rows: number, { table = TABLE, padding = 0 } = {}): WaitingRows {
  const blocks = asBlocks(linesOf(number, rows, ' '.repeat(padding)))
  return { table, ...spanOf(number), rows, body: Buffer.alloc(0), blocks }
}

const spanOf = (number: number) => ({
  sysTimeNs: String(TIME_NS + BigInt(number)),
  firstTimeNs: String(TIME_NS),
  lastTimeNs: String(TIME_NS),
})

function linesOf(number: number, rows: number, padding = ''): Buffer {
  const data = JSON.stringify({ request: number, mark: `request ${number};${padding}` })
  const { sysTimeNs } = spanOf(number)
  return Buffer.from(Array.from({ length: rows }, (_, i) => `[${data},${TIME_NS},${sysTimeNs},${number * 1_000 + i}]\n`).join(''))
}

const listFiles = (directory: string) => readdirSync(directory).filter((name) => name.endsWith('.log'))

async function openParts() {
  const stack = new AsyncDisposableStack()
  const { store, records, directory } = stack.use(await openTestStore())
  const dataDir = join(directory, 'a data directory of the test')
  const logDirectory = join(dataDir, 'write-ahead')
  const { engine } = store
  const tables: LogTables = {
    insert: (table, blocks) => store.insert(table, blocks),
    insertTexts: (table, rows) => store.insertTexts(table, rows),
    countEach: (table, requests) => store.countEach(table, requests),
    removeRequest: (table, request) => store.removeRequest(table, request),
  }
  await store.create(TABLE)
  const times = { createdAtMs: 0, updatedAtMs: 0 }
  const kept = { ...NEW_SETTINGS, ...times, name: 'web', table: TABLE, description: '', createdBy: '', retentionDays: 0 }
  await records.transaction((db) => reserveDataset(db, kept))
  await records.transaction((db) => openDataset(db, TABLE, kept))
  return {
    records,
    tables,
    dataDir,
    logDirectory,
    /** What a process left that was killed: these entries, in one file. */
    leave(...entries: Parameters<typeof encodeEntry>[0][]) {
      mkdirSync(logDirectory, { recursive: true })
      const path = join(logDirectory, '000000000001.log')
      writeFileSync(path, Buffer.concat(entries.flatMap(encodeEntry)))
      return path
    },
    open: async (over = tables, isExpected = false) => {
      const log = await WriteAheadLog.open({ dataDir, isExpected, records, tables: over })
      stack.defer(() => log.close())
      return log
    },
    /** Rows of each request that are in the table. */
    async counts() {
      const rows = await engine.select<{ request: string; rows: string }>(
        `SELECT toString(data.request) AS request, toString(count()) AS rows FROM ${TABLE} GROUP BY request ORDER BY request`,
      )
      return Object.fromEntries(rows.map((row) => [row.request, Number(row.rows)]))
    },
    waiting: () => listWaitingRows(logDirectory).length,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const parts = ofEachTest(openParts)

test('what it took is in the table for whoever asks, by one insert', async () => {
  let inserts = 0
  const log = await parts.open({
    ...parts.tables,
    insert: async (...args) => {
      inserts++
      await parts.tables.insert(...args)
    },
  })
  expect(await Promise.all([1, 2, 3].map((number) => log.add(request(number, number))))).toEqual([true, true, true])
  expect([await parts.counts(), parts.waiting()]).toEqual([{}, 3])
  await Promise.all([log.settle([TABLE]), log.settle([TABLE])])
  expect([await parts.counts(), parts.waiting(), inserts]).toEqual([{ 1: 1, 2: 2, 3: 3 }, 0, 1])
})

test('after a crash what is in the table is not inserted again, and what is there in part is made whole', async () => {
  const [whole, part, none] = [request(1, 3), request(2, 3), request(3, 3)]
  parts.leave(whole, part, none)
  await parts.tables.insert(TABLE, whole.blocks)
  await parts.tables.insert(TABLE, request(2, 2).blocks)
  const log = await parts.open()
  await log.settle([TABLE])
  expect([await parts.counts(), parts.waiting()]).toEqual([{ 1: 3, 2: 3, 3: 3 }, 0])
})

test('rows that an earlier version left as texts are inserted too', async () => {
  parts.leave({ ...request(1, 2), rows: 4, body: linesOf(1, 4).subarray(linesOf(1, 2).length) }, request(2, 1))
  const log = await parts.open()
  await log.settle([TABLE])
  expect([await parts.counts(), parts.waiting()]).toEqual([{ 1: 4, 2: 1 }, 0])
})

test('after a crash what was settled is not inserted again, although its rows were removed since', async () => {
  const [settled, waiting] = [request(1, 1), request(2, 1)]
  parts.leave(settled, waiting, { table: TABLE, settled: [settled.sysTimeNs] })
  const log = await parts.open()
  await log.settle([TABLE])
  expect(await parts.counts()).toEqual({ 2: 1 })
})

test('an entry that a crash left half written was never acknowledged, and those before it are there', async () => {
  const long = request(2, 1, { padding: 20_000 })
  for (const written of [4_096, 8_192]) {
    const path = parts.leave(request(1, 1), long)
    truncateSync(path, written)
    truncateSync(path, 12_582_912)
    expect(parts.waiting()).toBe(1)
  }
  const log = await parts.open()
  await log.add(request(3, 1))
  await log.settle([TABLE])
  expect([await parts.counts(), parts.waiting()]).toEqual([{ 1: 1, 3: 1 }, 0])
})

test('files go when nothing in them is needed', async () => {
  const log = await parts.open()
  // Of three mebibytes each, and a file has about four.
  const large = (number: number) => request(number, 1, { padding: 3_145_728 })
  for (const number of [1, 2, 3]) await log.add(large(number))
  expect(listFiles(parts.logDirectory).length).toBe(2)
  await log.settle([TABLE])
  await log.close()
  expect([await parts.counts(), listFiles(parts.logDirectory)]).toEqual([{ 1: 1, 2: 1, 3: 1 }, []])
})

test('what cannot be inserted is kept, and whoever asks is told so until it can', async () => {
  const faults: Error[] = [new ServiceError('storage_full', 'the disk is full'), new Error('the answer was lost')]
  const log = await parts.open({
    ...parts.tables,
    async insert(...args) {
      const fault = faults.shift()
      // Of the second one nobody knows whether it took effect: it did.
      if (!fault || faults.length === 0) await parts.tables.insert(...args)
      if (fault) throw fault
    },
  })
  await log.add(request(1, 2))
  await expect(log.settle([TABLE])).rejects.toMatchObject({
    code: 'unavailable',
    message: 'events that were acknowledged cannot be put in their place yet: the disk is full',
  })
  await expect(log.settle([TABLE])).rejects.toThrow('the answer was lost')
  await log.settle([TABLE])
  expect([await parts.counts(), parts.waiting()]).toEqual([{ 1: 2 }, 0])
})

test('what waits for a dataset that is gone goes with it', async () => {
  const log = await parts.open()
  const gone = 'events_aaaaaaaaaa'
  expect(await log.add(request(1, 1, { table: gone }))).toBe(true)
  await log.settle([gone])
  expect(parts.waiting()).toBe(0)
})

test('it inserts by itself what nobody asks for, and what is left when it ends', async () => {
  const log = await parts.open()
  await log.add(request(1, 1))
  await log.flush()
  await log.add(request(2, 1))
  await log.close()
  expect([await parts.counts(), parts.waiting()]).toEqual([{ 1: 1, 2: 1 }, 0])
})

/** What is left of a log that took these requests, each synced by itself; the first two are in their table, and the others are not. */
async function leaveSix(): Promise<string> {
  let canInsert = true
  const log = await parts.open({
    ...parts.tables,
    async insert(...args) {
      if (!canInsert) throw new Error('the engine is away')
      await parts.tables.insert(...args)
    },
  })
  for (const number of [1, 2]) await log.add(request(number, 1))
  await log.settle([TABLE])
  canInsert = false
  for (const number of [3, 4, 5, 6]) await log.add(request(number, 1))
  await log.close()
  return join(parts.logDirectory, listFiles(parts.logDirectory)[0] as string)
}

/** Where the rows of a request are in the file. */
const placeOf = (path: string, number: number) => readFileSync(path).indexOf(`request ${number};`)

/** Where the length of the entry of a request is. */
const frameOf = (path: string, number: number) => readFileSync(path).lastIndexOf('{"table"', placeOf(path, number)) - 8

function flip(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] as number) ^ 1
  writeFileSync(path, bytes)
}

/** Writes what the state of the log would have been at another time. */
function changeState(changes: Partial<LogState>): void {
  const path = join(parts.logDirectory, 'state')
  const state = decodeState(readFileSync(path, 'utf8')) as LogState
  writeFileSync(path, encodeState({ ...state, ...changes }))
}

test.each([
  ['its rows, after which it is read on,', placeOf, { requests: 1, isAtLeast: false }, { 1: 1, 2: 1, 3: 1, 5: 1, 6: 1 }],
  ['its length, from which on the file is not read,', frameOf, { requests: 3, isAtLeast: true }, { 1: 1, 2: 1, 3: 1 }],
])('an entry with another byte in %s is named with its file and its place, at every start', async (_, at, said, counts) => {
  const path = await leaveSix()
  const offset = frameOf(path, 4)
  flip(path, at(path, 4))
  const log = await parts.open()
  expect(log.damages).toEqual([{ path, offset, reason: expect.stringContaining('cannot be read'), ...said }])
  await log.settle([TABLE])
  expect(await parts.counts()).toEqual(counts)
  await log.close()
  // The evidence is kept, and so is what it says.
  expect(existsSync(join(parts.dataDir, 'damaged/write-ahead', path.slice(-16)))).toBe(true)
  expect((await parts.open()).damages).toMatchObject([{ path, ...said }])
})

test('rows as texts and in columns are read as they were written, and with another byte anywhere those before it are', async () => {
  const written = [1, 2, 3].map((n) => ({ ...request(n, n), blocks: [Buffer.from([0, 10, n]), Buffer.from([10])] }))
  const path = parts.leave(...written)
  const read = written.map((rows) => ({ ...rows, blocks: [Buffer.concat(rows.blocks)] }))
  expect((await readLog(parts.dataDir, false)).left).toEqual(read)
  const offset = frameOf(path, 2)
  for (let at = offset; at < frameOf(path, 3); at++) {
    flip(path, at)
    const { left, damages } = await readLog(parts.dataDir, false)
    const isInLength = at < offset + 4
    expect([left, damages]).toMatchObject([isInLength ? [read[0]] : [read[0], read[2]], [{ path, offset, isAtLeast: true }]])
    flip(path, at)
  }
})

test('a damaged entry whose rows were settled is named, and nothing is missing', async () => {
  const path = await leaveSix()
  flip(path, placeOf(path, 1))
  const log = await parts.open()
  expect(log.damages).toMatchObject([{ path, requests: 0, isAtLeast: false }])
  await log.settle([TABLE])
  expect(await parts.counts()).toEqual({ 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1 })
})

test('the last entry is damaged if its pages were written', async () => {
  const path = await leaveSix()
  flip(path, placeOf(path, 6))
  expect((await parts.open()).damages).toMatchObject([{ path, requests: 1, isAtLeast: false }])
})

test('the last entry is half written if its pages were not written', async () => {
  await leaveSix()
  const before = await parts.open()
  await before.settle([TABLE])
  await before.close()
  const log = await parts.open()
  const long = request(7, 1, { padding: 20_000 })
  await log.add(long)
  const [last = ''] = listFiles(parts.logDirectory).slice(-1)
  const torn = readFileSync(join(parts.logDirectory, last))
  await log.close()
  // Its process ended before it was answered.
  changeState({ bytes: 0, needed: 0 })
  writeFileSync(join(parts.logDirectory, last), torn.fill(0, 8_192))
  const again = await parts.open()
  expect([again.damages, again.torn]).toMatchObject([[], [{ path: join(parts.logDirectory, last) }]])
})

test.each([
  ['the last batch', 6, 1],
  ['the last two batches', 5, 2],
])('zeros in the place of %s are named, and what they were is counted', async (_, first, requests) => {
  const path = await leaveSix()
  const bytes = readFileSync(path)
  const at = bytes.lastIndexOf('{"batch"', placeOf(path, first)) - 8
  for (const [from, offset] of [
    [at, at],
    [placeOf(path, first), frameOf(path, first)],
  ] as const) {
    writeFileSync(path, Buffer.concat([bytes.subarray(0, from), Buffer.alloc(bytes.length - from)]))
    const { damages, torn } = await parts.open()
    expect([damages, torn]).toMatchObject([[{ path, offset, requests, isAtLeast: false }], []])
    rmSync(join(parts.dataDir, 'damaged'), { recursive: true })
  }
})

test('if what is missing settled requests, more may be missing than are counted', async () => {
  const path = await leaveSix()
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0, bytes.indexOf('"settled"')))
  expect((await parts.open()).damages).toMatchObject([{ path, requests: 2, isAtLeast: true }])
})

test('a batch that was never answered may be zeros', async () => {
  const path = await leaveSix()
  // Of the process that ended between the sync of the last batch and its answer.
  const bytes = readFileSync(path)
  const at = bytes.lastIndexOf('{"batch"') - 8
  changeState({ bytes: at, needed: 3 })
  const log = await parts.open()
  expect(log.damages).toEqual([])
  await log.close()
  writeFileSync(path, bytes.fill(0, at))
  expect((await parts.open()).damages).toEqual([])
})

test('a mark that a power cut left behind says nothing of what was settled after it', async () => {
  const before = await parts.open()
  for (const number of [1, 2]) await before.add(request(number, 1))
  const state = join(parts.logDirectory, 'state')
  const early = readFileSync(state)
  await before.settle([TABLE])
  await before.add(request(3, 1))
  const [name = ''] = listFiles(parts.logDirectory)
  const bytes = readFileSync(join(parts.logDirectory, name))
  await before.close()
  writeFileSync(join(parts.logDirectory, name), bytes)
  writeFileSync(state, early)
  const log = await parts.open()
  expect([log.damages, log.torn]).toEqual([[], []])
})

test.each([
  ['flipped in the length', (path: string) => flip(path, frameOf(path, 5))],
  ['cut', (path: string) => truncateSync(path, placeOf(path, 3))],
  ['emptied', (path: string) => truncateSync(path)],
  ['deleted', (path: string) => rmSync(path)],
  ['deleted with its directory', (path: string) => rmSync(join(path, '..'), { recursive: true })],
])('a log that was %s is named', async (_, damage) => {
  const path = await leaveSix()
  damage(path)
  const log = await parts.open(parts.tables, true)
  expect(log.damages.some(({ requests, isAtLeast }) => requests > 0 || isAtLeast)).toBe(true)
})

test.each([
  ['open', 'open 000000000001 8ec31145\n', [{ requests: 4 }]],
  ['closed', 'closed 000000000001 5533ea31\n', []],
])('the %s state of an earlier version says whether its file must exist', async (_, first, damages) => {
  rmSync(await leaveSix())
  const mark = 'mark 000000000001 12582912 00000004 74ef3f3d\n'
  writeFileSync(join(parts.logDirectory, 'state'), `${first.padEnd(32, '\n')}${mark}\n\n\n`)
  expect((await parts.open()).damages).toMatchObject(damages)
})

test('a file that was deleted before another one is noticed by what that one says', async () => {
  const log = await parts.open({ ...parts.tables, insert: () => Promise.reject(new Error('the engine is away')) })
  await log.add(request(1, 1, { padding: 4_194_304 }))
  await log.add(request(2, 1))
  await log.close()
  const [first = '', second = ''] = listFiles(parts.logDirectory)
  rmSync(join(parts.logDirectory, first))
  expect((await parts.open()).damages).toMatchObject([
    { path: join(parts.logDirectory, second), reason: 'files before this one are missing', requests: 1 },
  ])
})

test('zeros at the end of a log, and files without any entry, keep nothing from starting', async () => {
  const path = await leaveSix()
  truncateSync(path, 12_582_912 + 9)
  writeFileSync(join(parts.logDirectory, '000000000009.log'), Buffer.alloc(9))
  rmSync(join(parts.logDirectory, 'state'))
  const log = await parts.open()
  expect(log.damages).toEqual([])
  await log.settle([TABLE])
  expect(await parts.counts()).toEqual({ 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1 })
})
