/**
 * The shapes of queries that `bench/query-shapes.ts` measures mean the same as the SQL they are measured against, and there are
 * enough of them. Deliberately not here: how long they take.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { loadEvents } from '../../bench/query-data.ts'
import { isSame, openReading, type Reading, rowsOf } from '../../bench/reading.ts'
import { SHAPES } from '../../bench/shapes/shapes.ts'

const ROWS = 20_000
const dataDir = mkdtempSync(join(tmpdir(), 'query-shapes-'))
let reading: Reading
beforeAll(async () => {
  await loadEvents(dataDir, ROWS)
  reading = await openReading(dataDir)
})
afterAll(async () => {
  await reading[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

test('there are at least 40 shapes, each under a name of its own', () => {
  expect(new Set(SHAPES.map(({ name }) => name)).size).toBe(SHAPES.length)
  expect(SHAPES.length).toBeGreaterThanOrEqual(40)
})

test.each(SHAPES)('$name answers the same as its SQL', async ({ apl, sql, tolerance }) => {
  const [ours, byHand] = [rowsOf(await reading.ours(apl(3)), reading.planOf(apl(3))), rowsOf(await reading.byHand(sql(3)))]
  // A difference is shown as one; estimates are compared by how far they are apart.
  if (tolerance === 0) expect(ours).toEqual(byHand)
  expect(isSame(ours, byHand, tolerance)).toBe(true)
  expect(byHand).not.toEqual([])
})
