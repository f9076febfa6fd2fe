/**
 * The first start over the data of an earlier version, killed: before, while and after the data is taken over. The next start does
 * the rest, nothing is lost and nothing is there twice.
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { runs } from '../../../../__tests__/support/long.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { openEmbeddedEngine } from '../../src/store/embedded-engine.ts'
import { seen, tablesIn } from './earlier-answers.ts'
import { type Expected, unpackEarlierData } from './earlier-data.ts'
import { kill, startUnwatched } from './unwatched-start.ts'

const MORE_ANNOTATIONS = 3_000
const ROUNDS = runs(2, 4)

/** As many more, so that taking over takes its time. */
async function addAnnotations(dataDir: string): Promise<void> {
  const engine = openEmbeddedEngine(join(dataDir, 'engine'))
  await engine.run(`INSERT INTO annotations (id, datasets, time_ns, end_time_ns, title, type, created_at_ms, created_by, repeat_key)
SELECT concat('ann_more', leftPad(toString(number), 6, '0')), ['more', toString(number % 7)], number * 1000000007, NULL,
  concat('number ', toString(number)), 'deploy', number, 'tok_more', if(number % 3 = 0, toString(number), '')
FROM numbers(${MORE_ANNOTATIONS})`)
  await engine.close()
}

interface Copy extends Disposable {
  dataDir: string
}

function copyOf(dataDir: string): Copy {
  const copy = mkdtempSync(join(tmpdir(), 'earlier-killed-'))
  cpSync(dataDir, copy, { recursive: true, verbatimSymlinks: true })
  return { dataDir: copy, [Symbol.dispose]: () => rmSync(copy, { recursive: true, force: true }) }
}

const AFTERWARDS = ['events_…', 'records_…', 'schema_versions']

/** What a start that is left alone then says; the engine and the directory have nothing left of before. */
async function answersOf(dataDir: string, expected: Expected) {
  await using service = await startService({ dataDir })
  const answers = await seen(service, expected)
  await service.stop()
  expect(await tablesIn(dataDir)).toEqual(AFTERWARDS)
  for (const name of ['tokens.json', 'integrations.json']) {
    expect([existsSync(join(dataDir, name)), existsSync(join(dataDir, `${name}.taken-over`))]).toEqual([false, true])
  }
  return answers
}

/** Whether the records say that the data was taken over: the transaction is through. */
function isTakenOver(file: string): boolean {
  if (!existsSync(file)) return false
  const records = new DatabaseSync(file, { readOnly: true })
  try {
    return records.prepare("SELECT value FROM settings WHERE name = 'taken-over'").get() !== undefined
  } catch {
    // It is not made yet, or locked.
    return false
  } finally {
    records.close()
  }
}

test('killed at any moment, the next start finishes it', async () => {
  using earlier = unpackEarlierData('version-4-killed')
  await addAnnotations(earlier.dataDir)
  using undisturbed = copyOf(earlier.dataDir)
  const from = performance.now()
  await (await startService({ dataDir: undisturbed.dataDir })).kill()
  const startMs = performance.now() - from
  const answers = await answersOf(undisturbed.dataDir, earlier.expected)
  expect(answers.annotations).toHaveLength(earlier.expected.annotations.length + MORE_ANNOTATIONS)
  for (let round = 0; round < ROUNDS; round++) {
    using copy = copyOf(earlier.dataDir)
    const child = startUnwatched(copy.dataDir)
    await sleep(((round + Math.random()) / ROUNDS) * startMs)
    await kill(child)
    expect(await answersOf(copy.dataDir, earlier.expected)).toEqual(answers)
  }
}, 600_000)

test('killed between taking over and dropping what was taken over, the next start drops it', async () => {
  using earlier = unpackEarlierData('version-4-killed')
  for (let tries = 0; tries < 10; tries++) {
    using copy = copyOf(earlier.dataDir)
    const child = startUnwatched(copy.dataDir)
    while (!isTakenOver(join(copy.dataDir, 'records.db'))) await nextTurn()
    await kill(child)
    const left = await tablesIn(copy.dataDir)
    expect(earlier.expected).toMatchObject(await answersOf(copy.dataDir, earlier.expected))
    if (left.includes('deployments')) return
  }
  throw new Error('it was too late every time')
}, 300_000)
