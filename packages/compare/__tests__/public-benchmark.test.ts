/** The public benchmark as somebody gets it: what is in its directory, that it is the same again, and that a judge in Python can be scored. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { NODE_24 } from '../../../__tests__/support/service.ts'
import { type Case, drawCases, PUBLIC_WORLDS } from '../../../bench/verdicts/public-worlds.ts'
import { countRounds, isCaseWorse } from '../../../bench/verdicts/service-worlds.ts'
import { createChance } from './support/random.ts'

const folder = mkdtempSync(join(tmpdir(), 'public-benchmark-'))
const run = (command: string) => execFileSync('bash', ['-ec', command], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 })
let cases: Case[] = []
beforeAll(() => {
  const env = { ...process.env, ROUNDS: '1' }
  execFileSync(NODE_24, [join(import.meta.dirname, '../../../bench/verdicts.ts'), '--export', folder], { env })
  const lines = gunzipSync(readFileSync(join(folder, 'cases.jsonl.gz')))
    .toString()
    .split('\n')
  cases = lines.filter(Boolean).map((line) => JSON.parse(line) as Case)
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true }))

test('it has all that its README names, in at most 15 MB', () => {
  const files = readdirSync(folder)
  expect(files.sort()).toEqual(['LICENSE', 'README.md', 'cases.jsonl.gz', 'generate.mjs', 'score.mjs'])
  expect(files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)).toBeLessThan(15_000_000)
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toMatch(
    /seed 47, 1 cases[\s\S]*\| steady \| [\d.]+ \([\d.]+ to [\d.]+\) \|/,
  )
  expect(new Set(cases.map(({ id }) => id)).size).toBe(4 * Object.keys(PUBLIC_WORLDS).length)
  for (const { before, after, otherDays, past, truth, judgedAtMinute, versions } of cases) {
    expect(['same', 'worse']).toContain(truth)
    expect(otherDays.map(({ daysAgo }) => daysAgo)).toEqual([1, 7])
    const sides = [{ before, after }, ...otherDays]
    for (const columns of [...sides.map((one) => one.before), ...(past ? [past] : [])])
      expect(new Set(Object.values(columns).map(({ length }) => length)).size).toBe(1)
    expect(sides.map((one) => [one.before.requests.length, one.after.p99.length])).toEqual(Array(3).fill([60, judgedAtMinute]))
    expect(past?.requests.slice(-60) ?? before.requests).toEqual(before.requests)
    for (const name of ['requests', 'failed'] as const)
      expect(versions?.old[name].map((one, at) => Number(one) + Number(versions.new[name][at])) ?? after[name]).toEqual(
        after[name],
      )
  }
})

test('what draws more gives the same for the same seed', () => {
  const of = (seed: number) => run(`${NODE_24} generate.mjs --world steady-errors-2 --rounds 4 --seed ${seed}`)
  const same = cases.filter(({ world }) => world === 'steady-errors-2').map((one) => `${JSON.stringify(one)}\n`)
  expect(of(47)).toBe(same.join(''))
  expect(of(48)).not.toBe(of(47))
})

test.each(['canary-errors-3', 'young-errors-2', 'yesterday-8-errors-4', 'rollout-errors-2-early'])(
  'the judge says of cases what it says in the bench, %s',
  async (name) => {
    const [, , scene] = PUBLIC_WORLDS[name] as (typeof PUBLIC_WORLDS)[string]
    let count = 0
    for (const one of drawCases(name, 5, 5)) count += Number(await isCaseWorse(JSON.parse(JSON.stringify(one)) as Case))
    expect(count).toBe(await countRounds([name, scene, [0, 100]], createChance(5), 5))
  },
  180_000,
)

test('the judge of the README is scored by the commands of the README', () => {
  const [, python = '', commands = ''] =
    /```python\n([\s\S]*?)```[\s\S]*?```sh\n([\s\S]*?)```/.exec(readFileSync(join(folder, 'README.md'), 'utf8')) ?? []
  writeFileSync(join(folder, 'judge.py'), python)
  const table = run(commands.replace('node ', `${NODE_24} `))
  expect(table).toContain('| steady-errors-3 | 100.0 (51.0 to 100.0) |')
  expect(table).toContain('| leak | 0.0 (0.0 to 49.0) |')
  writeFileSync(join(folder, 'answers.jsonl'), `{"id":"${cases[0]?.id}","verdict":"worse"}\n`)
  expect(run(commands.split('\n')[1]?.replace('node ', `${NODE_24} `) ?? '')).toMatch(
    /\| steady \| 25\.0 [\s\S]*123 cases have no answer/,
  )
})
