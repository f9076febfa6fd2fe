/**
 * `npm run prove [-- name…]`: tries each promise of docs/promises.md, or those that are named, by its tests in their long form, two at a
 * time, and prints a line of each as it is done: how often it was tried, how often it failed, and how long that took. Tests that are skipped
 * here count as failed, because they have proved nothing. What the tests print is kept beside their results.
 */
import { exec } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(exec)

/** A promise of the table: its name, what is promised, and by which tests it is tried. */
const LINE = /^\| ([a-z-]+) \| ([^|]+) \| (`[^|]+`) \|/gm
const lines = [...readFileSync('docs/promises.md', 'utf8').matchAll(LINE)] as unknown as [string, string, string, string][]
const names = process.argv.slice(2)
const unknown = names.filter((name) => !lines.some(([, known]) => known === name))
if (unknown.length > 0)
  throw new Error(`no promise is called ${unknown.join(', ')}; there are ${lines.map(([, name]) => name).join(', ')}`)

const folder = mkdtempSync(join(tmpdir(), 'prove-'))
console.log(`what the tests print is in ${folder}\n`)
const chosen = lines.filter(([, name]) => names.length === 0 || names.includes(name)).values()
const tryThem = async () => {
  for (const line of chosen) console.log(await tryLine(line))
}
await Promise.all([tryThem(), tryThem()])

/** @returns the line with what came of it */
async function tryLine([line, name, , tests]: (typeof lines)[number]): Promise<string> {
  const [log, tries, result] = ['log', 'tries', 'json'].map((end) => join(folder, `${name}.${end}`)) as [string, string, string]
  const paths = [...tests.matchAll(/`(.+?)`/g)].map(([, path]) => path)
  const command = `npm test -- --runInBand ${paths.join(' ')} --json --outputFile=${result} > ${log} 2>&1`
  const startMs = performance.now()
  // What fails is in the results.
  await run(command, { env: { ...process.env, TEST_LONG: '1', TEST_CLUSTER: '1', TEST_TRIES: tries } }).catch(() => undefined)
  const seconds = Math.round((performance.now() - startMs) / 1_000)
  const found = JSON.parse(readFileSync(result, 'utf8'))
  const failed = found.numFailedTests + found.numPendingTests + found.numRuntimeErrorTestSuites
  if (failed > 0) process.exitCode = 1
  const counts = existsSync(tries) ? readFileSync(tries, 'utf8').trim().split('\n') : [found.numPassedTests]
  const tried = counts.reduce((sum, count) => sum + Number(count), 0)
  return `${line} ${[tried, failed, seconds].map((count) => count.toLocaleString('en')).join(' | ')} |`
}
