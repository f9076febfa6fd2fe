/**
 * Export and import killed at random moments and run again, until each comes to its end: what arrives is what was there.
 */
import { existsSync, mkdtempSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from '@jest/globals'
import { startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { testOnClickHouse } from '../../../../__tests__/support/databases.ts'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { runs, tried } from '../../../../__tests__/support/long.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { answersOf, chunkFiles, fill, move, startCommand } from './moving.ts'

const KILLS = runs(2, 10)
const EVENTS = runs(60_000, 300_000)

const parent = folderForTests('transfer')
let before: Awaited<ReturnType<typeof answersOf>>
/** What the first test exports. */
let exported: string
const at = (name: string) => join(parent, name)
/** A place that no test has used, nor an earlier try of this one. */
const newPlace = () => mkdtempSync(join(parent, 'place-'))

beforeAll(async () => {
  await using service = await startService({ dataDir: at('first') })
  await fill(service, { large: EVENTS })
  before = await answersOf(service)
})

/**
 * Kills a command some time after it says that it is under way, again and again; then lets it end.
 * @returns how many of the kills met it
 */
async function runKilled(args: readonly string[]): Promise<number> {
  let killed = 0
  for (let n = 0; n < KILLS; n++) {
    const { child, output, ended } = startCommand(args)
    while (!output.stderr.includes(' events\n') && child.exitCode === null) await sleep(5)
    await sleep(Math.random() * 250 * ((n % 3) + 1))
    child.kill('SIGKILL')
    if ((await ended) === 'SIGKILL') killed++
  }
  await move(args)
  return tried(killed)
}

test('an export that is killed goes on where it was', async () => {
  exported = join(newPlace(), 'out')
  expect(await runKilled(['export', '--data', at('first'), '--to', exported])).toBeGreaterThan(0)
})

test('an import that is killed goes on where it was: nothing is lost or there twice', async () => {
  const data = join(newPlace(), 'data')
  expect(await runKilled(['import', '--from', exported, '--data', data])).toBeGreaterThan(0)
  await using service = await startService({ dataDir: data })
  expect(await answersOf(service)).toEqual(before)
})

testOnClickHouse('on a ClickHouse server too, which goes on with an insert whose sender is killed', async () => {
  await using clickhouse = await startClickHouse()
  const args = ['--clickhouse', clickhouse.url]
  const data = join(newPlace(), 'data')
  expect(await runKilled(['import', '--from', exported, '--data', data, ...args])).toBeGreaterThan(0)
  await using service = await startService({ dataDir: data, args })
  expect(await answersOf(service)).toEqual(before)
})

test('chunks that are finished are not written again', async () => {
  const args = ['export', '--data', at('first'), '--to', at('out3')]
  const { child, ended } = startCommand(args)
  while (!existsSync(at('out3/events')) || chunkFiles(at('out3')).length < 2) await sleep(5)
  child.kill('SIGKILL')
  await ended
  const [first = ''] = chunkFiles(at('out3'))
  const written = statSync(first).ino
  await move(args)
  expect(statSync(first).ino).toBe(written)
})
