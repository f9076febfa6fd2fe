/**
 * Charts that are answered by what is held of whole parts say exactly what the events say: after late events, deletes, trims and merges,
 * and while parts are replaced.
 */
import { cpSync, existsSync, mkdtempDisposableSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { disposedAfterTests } from '../../../../__tests__/support/for-tests.ts'
import { runServiceCommand, startService } from '../../../../__tests__/support/service.ts'
import type { Rollups } from '../../../event-store/src/reading/rollups.ts'
import { createLog } from '../../../runtime/src/log.ts'
import { readCases } from '../cases.ts'
import { ask } from '../http.ts'
import { roomForTests, START_MS, startDriven } from '../monitors/driven-service.ts'
import { apl, ingest } from './ask.ts'

const MINUTE = 60_000
const BEGIN_MS = START_MS - 600 * MINUTE
const WHOLE = { startTime: '1900-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' }
const at = (ms: number) => new Date(ms).toISOString()
/** Before and behind all events, and within a bin of each question. */
const RANGES = [WHOLE, { startTime: at(BEGIN_MS + 7 * MINUTE + 1), endTime: at(BEGIN_MS + 171 * MINUTE + 59_999) }]
const QUESTIONS = readCases<string[]>(import.meta.url)

const room = roomForTests()
const service = disposedAfterTests(() => startDriven(room))
let rollups: Rollups
const log = createLog((line) => console.log(line))
beforeAll(() => {
  rollups = room.events.tables.rollups as Rollups
  rollups.limits = { ...rollups.limits, partRowsMin: 1, partSecondsMin: -1, binRowsMin: 0, rowsMin: 0 }
})

let made = 0
/** Whole and other numbers, texts among the numbers, fields that are missing, and more events in the first hour than are all kept. */
function events(count: number, fromMs = BEGIN_MS, minutes = 180) {
  return Array.from({ length: count }, () => {
    const n = made++
    const isDense = n % 2 === 0
    return {
      _time: at(fromMs + (isDense ? (n * 131) % (4 * MINUTE) : (n * 7_919) % (minutes * MINUTE))),
      ...(n % 11 !== 0 && { status: n % 17 === 0 ? 'none' : n % 5 === 0 ? 503 : 200 }),
      duration: n % 3 === 0 ? (n * 37) % 900 : ((n * 37) % 900) + 0.25,
      bytes: n * 1_000,
      path: n % 4 === 0 ? '/checkout/pay' : '/home',
    }
  })
}

const answer = async (question: string, range: object) => {
  const { status, body } = await apl(service, `['web'] | ${question}`, range)
  expect([status, body.message]).toEqual([200, undefined])
  return { tables: body.tables, rowsMatched: body.status.rowsMatched, groups: body.status.numGroups }
}

/** @returns how many of the answers were made of states */
async function compareAll(): Promise<number> {
  let byStates = 0
  for (const question of QUESTIONS) {
    for (const range of RANGES) {
      const find = rollups.find.bind(rollups)
      let isHeld = false
      rollups.find = (...asked) => {
        const found = find(...asked)
        isHeld ||= found !== undefined
        return found
      }
      const held = await answer(question, range)
      rollups.find = () => undefined
      const asked = await answer(question, range)
      rollups.find = find
      expect(held).toEqual(asked)
      if (isHeld) byStates++
    }
  }
  return byStates
}

const tableOf = () => room.events.datasets.find('web')?.table as string
/** Merges all parts. Not by the service, which waits until they are at rest. */
const merge = () => room.events.tables.engine.run(`OPTIMIZE TABLE ${tableOf()} FINAL`)

test('what is held of whole parts says what the events say, whatever happens to them', async () => {
  for (let part = 0; part < 3; part++) await ingest(service, 'web', events(1_600))
  for (const question of QUESTIONS) await answer(question, WHOLE)
  for (const question of QUESTIONS) await answer(question, WHOLE)
  await rollups.upkeep(log)
  expect(await compareAll()).toBe(QUESTIONS.length * 2)
  // What is held is read for ranges with many events: all three parts, of 1,600, are within the first range alone.
  const { limits } = rollups
  rollups.limits = { ...limits, rowsMin: 4_750 }
  expect(await compareAll()).toBe(QUESTIONS.length)
  rollups.limits = { ...limits, rowsMin: 5_000 }
  expect(await compareAll()).toBe(0)
  rollups.limits = limits

  await ingest(service, 'web', events(300, BEGIN_MS - 90 * MINUTE, 200))
  expect(await compareAll()).toBe(QUESTIONS.length * 2)

  await room.events.tables.deleteWhere(tableOf(), 'data.status.:Int64 = 503')
  const afterDelete = await answer(QUESTIONS[0] as string, WHOLE)
  expect(JSON.stringify(afterDelete)).not.toContain('"errors":1')
  await compareAll()
  const areOnDisk = () => existsSync(join(room.dataDir, 'engine/data/rollups'))
  expect(areOnDisk()).toBe(false)
  // From here on there is no memory for states.
  rollups.limits = { ...limits, memoryBytesMax: 0 }
  await rollups.upkeep(log)
  expect(areOnDisk()).toBe(true)
  expect(await compareAll()).toBe(QUESTIONS.length * 2)

  await room.events.tables.trim(tableOf(), BigInt(BEGIN_MS + 2 * MINUTE) * 1_000_000n)
  await compareAll()
  await merge()
  await rollups.upkeep(log)
  expect(await compareAll()).toBe(QUESTIONS.length * 2)

  // A field whose values become texts as well is read in another way.
  await ingest(service, 'web', [{ _time: at(BEGIN_MS + 30 * MINUTE), duration: 'long', path: 7 }])
  await compareAll()
  await rollups.upkeep(log)
  await compareAll()
}, 180_000)

test('no answer counts an event twice or not at all while parts are merged', async () => {
  const question = QUESTIONS[1] as string
  const { rowsMatched } = await answer(question, WHOLE)
  let sent = 0
  for (let round = 0; round < 6; round++) {
    await ingest(service, 'web', events(100))
    sent += 100
    await rollups.upkeep(log)
    const [, ...answers] = await Promise.all([merge(), ...[1, 2, 3, 4].map(() => answer(question, WHOLE))])
    expect(answers.map((one) => one.rowsMatched)).toEqual([1, 2, 3, 4].map(() => rowsMatched + sent))
  }
}, 180_000)

/** Has all questions asked often enough, and the states made. */
async function hold(): Promise<void> {
  for (let i = 0; i < 2; i++) for (const question of QUESTIONS) await answer(question, WHOLE)
  await rollups.upkeep(log)
}

/** Every file of the states that is larger than a few bytes. */
function stateFiles(dataDir = room.dataDir): string[] {
  const root = join(dataDir, 'engine/data/rollups')
  try {
    const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => !path.includes('tmp_'))
    return paths.map((path) => join(root, path)).filter((path) => statSync(path).isFile() && statSync(path).size > 64)
  } catch (error) {
    // A merge of the engine renamed a folder meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && existsSync(root)) return stateFiles(dataDir)
    throw error
  }
}

const UNREADABLE: Readonly<Record<string, () => Promise<void>>> = {
  'files with another byte': async () => {
    for (const path of stateFiles().filter((one) => one.endsWith('.bin'))) {
      const bytes = readFileSync(path)
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 0x10
      writeFileSync(path, bytes)
    }
  },
  'tables that are gone': async () => {
    const { engine } = room.events.tables
    for (const { name } of await engine.select<{ name: string }>("SELECT name FROM system.tables WHERE database = 'rollups'"))
      await engine.run(`DROP TABLE rollups.${name} SYNC`)
  },
  'files that are gone': async () => {
    for (const path of stateFiles()) rmSync(path)
  },
}

test.each(Object.keys(UNREADABLE))(
  '%s: the events are asked, no dataset is called damaged, and the states are made anew',
  async (how) => {
    await hold()
    await (UNREADABLE[how] as () => Promise<void>)()
    expect(await compareAll()).toBeGreaterThan(0)
    expect(await compareAll()).toBe(0)
    expect(room.events.damaged.list()).toEqual([])
    const lines: string[] = []
    await rollups.upkeep(createLog((line) => lines.push(line)))
    expect(lines.filter((line) => line.includes('could not be read'))).toHaveLength(QUESTIONS.length)
    expect(lines.filter((line) => line.includes('"make rollups"') && !line.includes('could not be read'))).toEqual([])
    await hold()
    expect(await compareAll()).toBe(QUESTIONS.length * 2)
  },
  180_000,
)

test('events that expire, one by one or with their part, are in no answer any more', async () => {
  const table = tableOf()
  const [DAY, count] = [86_400_000, async () => (await answer(QUESTIONS[1] as string, WHOLE)).rowsMatched as number]
  const before = await count()
  const { engine } = room.events.tables
  await engine.run(`SYSTEM STOP MERGES ${table}`)
  await ingest(service, 'web', events(400, BEGIN_MS - 5 * DAY, 1))
  await room.events.settle()
  await ingest(service, 'web', [...events(300, BEGIN_MS - 5 * DAY, 1), ...events(200)])
  await hold()
  expect(await compareAll()).toBe(QUESTIONS.length * 2)
  await room.events.tables.dropOlder(table, BigInt(BEGIN_MS - 4 * DAY) * 1_000_000n)
  expect(await count()).toBe(before + 500)
  await engine.run(`SYSTEM START MERGES ${table}`)
  await compareAll()
  await rollups.upkeep(log)
  // The engine goes by the time of day.
  await room.events.tables.setRetention(table, Math.floor((Date.now() - BEGIN_MS) / DAY) + 2)
  while ((await count()) > before + 200) await compareAll()
  await compareAll()
  await hold()
  expect([await compareAll(), await count()]).toEqual([QUESTIONS.length * 2, before + 200])
}, 180_000)

test('what a killed process held, or a restored backup has, is removed by a start and no damage to a check', async () => {
  await hold()
  using folder = mkdtempDisposableSync(join(tmpdir(), 'rollups-'))
  const [dataDir, copy] = [join(folder.path, 'before'), join(folder.path, 'copy')]
  await room.events.settle()
  cpSync(room.dataDir, dataDir, { recursive: true, verbatimSymlinks: true })
  const { rowsMatched } = await answer(QUESTIONS[1] as string, WHOLE)
  // The states of later are beside the events of before.
  await ingest(service, 'web', events(100))
  await hold()
  rmSync(join(dataDir, 'engine/data/rollups'), { recursive: true })
  cpSync(join(room.dataDir, 'engine/data/rollups'), join(dataDir, 'engine/data/rollups'), { recursive: true })
  expect(stateFiles(dataDir).length).toBeGreaterThan(0)
  // Which names the process of this test, as if it had the copy open.
  rmSync(join(dataDir, 'engine/status'))
  cpSync(dataDir, copy, { recursive: true, verbatimSymlinks: true })
  const { stdout } = await runServiceCommand(['fsck', '--data', copy])
  expect(stdout).toBe('nothing is damaged or unknown\n')
  await using other = await startService({ dataDir })
  expect(existsSync(join(dataDir, 'engine/data/rollups'))).toBe(false)
  const { body } = await apl(other, `['web'] | ${QUESTIONS[1]}`, WHOLE)
  expect(body.status.rowsMatched).toBe(rowsMatched)
  await other.stop()
}, 180_000)

test('a dataset that is deleted and made again answers of its own events alone', async () => {
  await hold()
  expect((await ask(service, 'DELETE', '/v2/datasets/web')).status).toBe(204)
  await ingest(service, 'web', events(70))
  expect((await answer(QUESTIONS[1] as string, WHOLE)).rowsMatched).toBe(70)
  await hold()
  expect(await compareAll()).toBe(QUESTIONS.length * 2)
  expect((await answer(QUESTIONS[1] as string, WHOLE)).rowsMatched).toBe(70)
}, 180_000)
