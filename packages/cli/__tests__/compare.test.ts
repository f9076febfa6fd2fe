/** `annotate compare` on the real service: a table, a verdict, an exit code. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { ingest, annotate as mark } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { annotate, makeFolder } from './run-annotate.ts'

const MINUTE_MS = 60_000
const DEPLOYED_AT = Date.now() - 20 * MINUTE_MS
const TIME = new Date(DEPLOYED_AT).toISOString()
const QUERY = `errors: ['shop'] | summarize failed = countif(status >= 500), requests = count() by bin(_time, 1m)`

const service = serviceForTests()
beforeAll(async () => {
  // 200 requests a minute; before the deployment 1 in 100 fails, and 1 in 10 after it.
  const events = Array.from({ length: 60 }, (_, minute) => DEPLOYED_AT + (minute - 45) * MINUTE_MS).flatMap((atMs) =>
    Array.from({ length: 200 }, (__, n) => ({
      _time: new Date(atMs + n * 250).toISOString(),
      status: n % (atMs < DEPLOYED_AT ? 100 : 10) === 0 ? 500 : 200,
    })),
  )
  await ingest(service, 'shop', events)
})

const compare = (args: readonly string[]) =>
  annotate(service.url, ['compare', ...args], { env: { ANNOTATE_TOKEN: service.token, ANNOTATE_TIMEOUT_SECONDS: '60' } })

test('what became worse is named with its numbers, and fails the command where that is asked for', async () => {
  const run = await compare(['--time', TIME, '--queries', QUERY, '--fail-on', 'worse'])
  expect(run.exitCode).toBe(1)
  expect(run.stdout).toMatch(/: Errors rose \S+-fold: 1(?:\.0\d)? → 10 %\nworse {2}errors {2}1(?:\.0\d)? % {2}10 % {2}×/)
  expect(run.stderr).toMatch(/^error: .*: Errors rose .* → 10 %\. The command fails because of --fail-on\.\n$/)
})

test('without --fail-on the verdict is told, and the command succeeds; --json prints it whole', async () => {
  using folder = makeFolder()
  const file = join(folder.path, 'queries.txt')
  writeFileSync(file, `${QUERY}\n`)
  const run = await compare(['--time', TIME, '--queries-file', file, '--json'])
  expect(run.exitCode).toBe(0)
  expect(JSON.parse(run.stdout)).toMatchObject({ verdict: 'worse', series: [{ name: 'errors', kind: 'share' }] })
})

test.each([
  [[], 'ID is required, or the time of the event'],
  [['--time', 'now', '--queries', ''], '--queries'],
  [['ann_1', '--queries', QUERY, '--after', 'soon'], '--after is "soon": it must be a length of time from 1m to 7d'],
  [
    ['ann_1', '--window', '5m', '--season', 'none'],
    '--window is called --after now; rename it\nerror: --season is called --seasons now',
  ],
  [['ann_1', '--queries-file', '/nowhere'], '--queries-file is "/nowhere", which cannot be read: ENOENT'],
])('what cannot be compared is wrong usage: %j', async (args, message) => {
  const run = await compare(args)
  expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) })
})

test('a dataset without events is named, with what to do', async () => {
  const env = { ANNOTATE_TOKEN: service.token }
  const { stdout } = await annotate(service.url, ['mark', '--datasets', 'nowhere'], { env })
  const run = await compare([/ann_\w+/.exec(stdout)?.[0] ?? '', '--wait', '0s'])
  expect(run.exitCode).toBe(1)
  expect(run.stderr).toContain('The dataset "nowhere" has no events yet. Send it some, or check its name and --base-url.')
  expect(run.stderr).not.toContain('Check ID')
})

/** What `verdict` waited for. */
let judged: string

test.concurrent('verdict waits for what the service says by itself', async () => {
  using folder = makeFolder()
  const summary = join(folder.path, 'summary.md')
  const { id } = await mark(service, { datasets: ['shop'], type: 'deploy', title: 'shop 2', time: TIME })
  judged = id
  const env = { ANNOTATE_TOKEN: service.token }
  const args = ['verdict', id, '--wait', '100s', '--summary-file', summary, '--fail-on', 'worse']
  const waited = await annotate(service.url, args, { env })
  expect(waited.stdout).toMatch(/^shop 2: Errors rose .*\ncannot tell +traffic .*\nworse +errors +1\.?\d* % +10 % +×/)
  expect(waited.stderr).toMatch(/^Waiting 1 min 40 s at most for the verdict of ann_/)
  expect(waited).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('The command fails because of --fail-on.') })
  expect(readFileSync(summary, 'utf8')).toMatch(
    /^### 🔴 shop 2: Errors rose .*\n[\s\S]* · \[charts\]\(<\S+>\)\n[\s\S]*\| \*\*errors\*\* \|/,
  )
  const none = await annotate(service.url, ['verdict', id, '--fail-on', 'bad'], { env })
  expect(none.exitCode).toBe(2)
})

test.concurrent('mark, close and run wait for the verdict where they are asked to, and never fail for it', async () => {
  using folder = makeFolder()
  const summary = join(folder.path, 'summary.md')
  const env = { ANNOTATE_TOKEN: service.token, ANNOTATE_DATASETS: 'shop', ANNOTATE_TYPE: 'deploy' }
  const wait = (length: string) => ['--wait', length, '--summary-file', summary]
  const time = new Date(DEPLOYED_AT).toISOString()
  const marked = await annotate(service.url, ['mark', '--title', 'shop 3', '--time', time, '--json', ...wait('100s')], { env })
  expect(marked).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/worse +errors/) })
  expect(JSON.parse(marked.stdout)).toMatchObject({ title: 'shop 3' })
  expect(readFileSync(summary, 'utf8')).toMatch(/^### 🔴 shop 3: /)
  const ran = await annotate(service.url, ['run', ...wait('1s'), '--', 'true'], { env })
  expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/There is no verdict of ann_\w+ after 1 s/) })
  const failed = await annotate(service.url, ['run', ...wait('1s'), '--', 'false'], { env })
  expect(failed.exitCode).toBe(1)
  expect(failed.stderr).not.toContain('verdict')
  const { stdout } = await annotate(service.url, ['open'], { env })
  const close = async (...args: string[]) =>
    (await annotate(service.url, ['close', stdout.trim(), ...args, ...wait('1s')], { env })).stderr
  expect(await close('--result', 'failure')).not.toContain('verdict')
  expect(await close('--result', 'success')).toMatch(/There is no verdict of ann_/)
})

test('compare takes what the service has said, where it is there', async () => {
  const asked = service.requests.length
  const queries = () => service.requests.filter(({ path }) => path.includes('/_apl')).length
  const before = queries()
  const taken = await compare([judged, '--fail-on', 'worse'])
  expect(taken).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('The service has judged it already') })
  await service.waitForRequests(asked + 1)
  expect(queries()).toBe(before)
  const own = await compare([judged, '--after', '9m', '--wait', '0s'])
  expect(own.stderr).not.toContain('judged it already')
})
