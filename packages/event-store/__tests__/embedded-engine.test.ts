/** The engine in this process, after a statement that failed. */
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { folderForTests, sharedByTests } from '../../../__tests__/support/for-tests.ts'
import { openEmbeddedEngine } from '../src/embedded/embedded-engine.ts'

const dataDir = folderForTests('embedded-engine')
const engine = sharedByTests(
  async () => openEmbeddedEngine(join(dataDir, 'engine')),
  (opened) => opened.close(),
)

/** Fails when half of its rows are written. */
const FAILING = `SELECT toString(number) AS n, throwIf(number = 5000) AS failed FROM numbers(10000)
SETTINGS max_block_size = 100, max_threads = 1`

test.each([
  ['select', (sql: string) => engine.select(sql)],
  ['bulk.select', (sql: string) => engine.bulk.select(sql)],
])('what a statement wrote before it failed is not in the next answer: %s', async (_, select) => {
  for (let round = 0; round < 2; round++) {
    await expect(select(FAILING)).rejects.toThrow('throwIf')
    expect(await select("SELECT 'whole' AS answer")).toEqual([{ answer: 'whole' }])
  }
})

test('nor in the next bytes', async () => {
  const whole = await engine.bulk.readNative("SELECT 'whole' AS answer")
  await expect(engine.bulk.readNative(FAILING)).rejects.toThrow('throwIf')
  expect(await engine.bulk.readNative("SELECT 'whole' AS answer")).toEqual(whole)
})

test('a probe that failed leaves nothing behind, and statements that waited for it are carried out', async () => {
  const asked = [engine.probe(FAILING), engine.probe('SELECT 1'), engine.select(FAILING), engine.select('SELECT 2 AS n')]
  expect(await Promise.allSettled(asked)).toMatchObject([
    { status: 'rejected' },
    { status: 'fulfilled' },
    { status: 'rejected' },
    { status: 'fulfilled', value: [{ n: 2 }] },
  ])
})
