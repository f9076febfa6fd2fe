/**
 * The bench beside other stores runs, and asks all of them for the same: a short form of it, and what it does with answers that differ.
 * Deliberately not here: how long anything takes.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { compare } from '../../bench/peers/answers.ts'
import { QUESTIONS, type Question } from '../../bench/peers/questions.ts'
import { hasPostgres } from '../support/postgres.ts'
import { NODE_24 } from '../support/service.ts'

const ROOT = join(import.meta.dirname, '../..')

test('all stores that are installed answer all questions alike', async () => {
  // Its service keeps everything in a directory of its own, whatever the tests around it use.
  const { PATH, HOME, TMPDIR } = process.env
  const env = {
    PATH,
    HOME,
    ...(TMPDIR && { TMPDIR }),
    EVENTS: '20000',
    ROUNDS: '1',
    QUIET_MINUTES: '0',
  }
  const run = promisify(execFile)(NODE_24, ['bench/peers.ts'], { cwd: ROOT, env, timeout: 240_000 })
  // It exits 1 where a question took longer than is wanted, as it may beside other tests.
  const { stdout } = await run.catch((error: { code?: number; stdout: string }) =>
    error.code === 1 ? error : Promise.reject(error),
  )
  const rowOf = (name: string) => stdout.split('\n').find((line) => line.startsWith(`| ${name} `)) ?? ''
  const columns = rowOf('median (minimum), ms').split(' | ')
  expect(columns.slice(2)).toEqual([
    'this service',
    'the service, merged',
    `chDB, columns${hasPostgres ? '' : ' |'}`,
    ...(hasPostgres ? ['PostgreSQL, jsonb |'] : []),
  ])
  for (const { name } of QUESTIONS) expect(rowOf(name)).toMatch(/\| \d[\d.]* \(\d[\d.]*\)/)
  expect(stdout.includes('postgres is not installed here')).toBe(!hasPostgres)
}, 300_000)

const ROWS: Question = {
  name: 'rows',
  wantedMs: 1,
  columns: ['id'],
  isOrdered: true,
  apl: () => '',
  sql: () => '',
  logsQl: () => ({ query: '' }),
}
const GROUPS: Question = { ...ROWS, columns: ['_time', 'q'], isOrdered: false, tolerance: 0.1 }
const NAMES = ['ours', 'theirs'] as const

test('rows of documents are compared with those of columns, in their order', () => {
  const rows = [{ id: 'a' }, { id: 'b' }]
  compare(ROWS, rows, [{ data: { id: 'a' } }, { data: '{"id":"b"}' }], NAMES)
  expect(() => compare(ROWS, rows, rows.toReversed(), NAMES)).toThrow(
    '"rows" was answered differently: ours 2 rows, ["a"]; theirs 2 rows, ["b"]',
  )
})

test('an answer without rows is a fault of the question', () => {
  expect(() => compare(ROWS, [], [], NAMES)).toThrow('ours 0 rows')
})

test('groups are compared in any order, their times however they are written, and estimates by how far they are apart', () => {
  const ours = [
    { _time: '2026-11-20T00:00:00Z', q: 100 },
    { _time: '2026-11-20T01:00:00Z', q: 50 },
  ]
  const theirs = (q: number) => [
    { _time: new Date('2026-11-20T01:00:00Z'), q: '50' },
    { _time: Date.parse('2026-11-20T00:00:00Z') / 1_000, q },
  ]
  compare(GROUPS, ours, theirs(109), NAMES)
  expect(() => compare(GROUPS, ours, theirs(120), NAMES)).toThrow('"rows" was answered differently')
})
