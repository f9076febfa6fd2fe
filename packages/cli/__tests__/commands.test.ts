/** The subcommands on an ordinary day: what crosses the wire, what is printed, and the exit code. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { ofEachTest } from '../../../__tests__/support/for-tests.ts'
import { readYaml } from '../../../__tests__/support/read-yaml.ts'
import { startScriptedService } from '../../../__tests__/support/scripted-service.ts'
import { ANNOTATE, annotate, makeFolder, TOKEN } from './run-annotate.ts'

/** One for each test; those with a script of their own start another. */
const service = ofEachTest(startScriptedService)

test('mark posts one annotation made of flags and variables, and says so on stdout', async () => {
  const run = await annotate(service.url, ['mark', '--title', 'v1', '--url', 'https://example.com/1'], {
    env: { ANNOTATE_DATASETS: 'web, api' },
  })
  expect(run).toMatchObject({ exitCode: 0, stderr: '' })
  expect(run.stdout).toMatch(/^Created the annotation deploy "v1" on web, api at .*Z: ann_1\n$/)
  expect(service.requests).toMatchObject([{ method: 'POST', headers: { authorization: `Bearer ${TOKEN}` } }])
  const [stored] = service.stored
  expect(stored).toMatchObject({ datasets: ['web', 'api'], type: 'deploy', title: 'v1', url: 'https://example.com/1' })
})

test('--json prints the stored annotation and nothing else on stdout', async () => {
  const { stdout } = await annotate(service.url, ['mark', '--json'])
  expect(JSON.parse(stdout)).toEqual(service.stored[0])
})

test('open prints the id alone on stdout, and close ends the span with how it went', async () => {
  const opened = await annotate(service.url, ['open'])
  expect(opened).toMatchObject({ exitCode: 0, stdout: 'ann_1\n' })
  expect(opened.stderr).toMatch(/until it is closed: ann_1/)
  const closed = await annotate(service.url, ['close', opened.stdout.trim(), '--result', 'success'])
  expect(closed).toMatchObject({ exitCode: 0, stderr: '' })
  expect(closed.stdout).toMatch(/Closed the release span ann_1: success after \d+ s/)
  expect(service.stored).toMatchObject([{ endTime: expect.any(String), description: expect.stringMatching(/^success after/) }])
})

test.each(readYaml<[result: string, env: Record<string, string>, description: string][]>(import.meta.url, 'results.yaml'))(
  'a span closed with --result "%s" and the variables %j reads as %s',
  async (result, env, description) => {
    await annotate(service.url, ['open'])
    await annotate(service.url, ['close', 'ann_1', '--result', result], { env })
    expect(String(service.stored[0]?.description).split(' after ')[0]).toBe(description)
  },
)

test('close of a span that was closed before leaves it as it is', async () => {
  await annotate(service.url, ['open'])
  await annotate(service.url, ['close', 'ann_1', '--result', 'success'])
  const again = await annotate(service.url, ['close', 'ann_1', '--result', 'failure'])
  expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/was already closed/) })
  expect(service.stored[0]?.description).toMatch(/^success/)
})

test('change sends what its flags give, and nothing of the variables of the job', async () => {
  await annotate(service.url, ['mark'])
  const run = await annotate(service.url, ['change', 'ann_1', '--title', 'new'], { env: { ANNOTATE_TYPE: 'other' } })
  expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Changed the annotation deploy "new"/) })
  expect(JSON.parse(service.requests.at(-1)?.body ?? '')).toEqual({ title: 'new' })
})

test('list shows a plain table where there is no terminal, and JSON on request', async () => {
  await annotate(service.url, ['mark', '--title', 'first\u001b[31m'])
  await annotate(service.url, ['mark', '--title', 'second'])
  const { stdout } = await annotate(service.url, ['list'])
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^TIME +LENGTH +TYPE +TITLE +DATASETS +ID$/),
    expect.stringMatching(/deploy {2}first +\[31m +web +ann_1$/),
    expect.stringMatching(/second +web +ann_2$/),
    '',
  ])
  expect(stdout).not.toContain('\u001b')
  expect(JSON.parse((await annotate(service.url, ['list', '--json'])).stdout)).toEqual(service.stored)
})

test('changes asks what changed before a moment or an annotation, and says it in lines', async () => {
  const body = readFileSync(join(import.meta.dirname, 'changes.json'))
  await using service = await startScriptedService({ GET: () => ({ status: 200, body }) })
  const { stdout } = await annotate(service.url, ['changes', '--time', 'now-20m', '--before', '6h', '--datasets', 'web,api'])
  expect(stdout).toBe('likely  2026-01-31T09:50:00Z  web 2.0  10 min before  Errors doubled: 0.98 → 1.96 %  ann_1\n')
  expect(service.requests[0]?.path).toBe('/v2/changes?time=now-20m&before=6h&datasets=web%2Capi')
  await annotate(service.url, ['changes', 'ann_01j8xw1t6z8m8qk4c0v3f5n7rb', '--json'])
  expect(service.requests[1]?.path).toBe('/v2/changes?annotation=ann_01j8xw1t6z8m8qk4c0v3f5n7rb&datasets=web')
})

test('list asks for the interval and the datasets', async () => {
  await annotate(service.url, ['list', '--start', '2026-01-31', '--end', 'now+1h', '--datasets', 'web,api'])
  const { searchParams } = new URL(service.requests[0]?.path ?? '', service.url)
  expect(searchParams.get('start')).toBe('2026-01-31T00:00:00Z')
  expect(searchParams.get('datasets')).toBe('web,api')
  expect(Date.parse(searchParams.get('end') ?? '') - Date.now()).toBeGreaterThan(3_500_000)
})

test('AWS CodeBuild, which has no page of recipes, gives a title and a link', async () => {
  using folder = makeFolder()
  const env = {
    CODEBUILD_BUILD_ID: 'shop:1234',
    CODEBUILD_RESOLVED_SOURCE_VERSION: '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d',
    CODEBUILD_SOURCE_REPO_URL: 'https://github.com/acme/shop.git',
    AWS_REGION: 'eu-central-1',
  }
  await annotate(service.url, ['mark'], { env, cwd: folder.path })
  expect(service.stored).toMatchObject([{ title: 'shop@1a2b3c4', url: expect.stringContaining('builds/shop:1234') }])
})

test.each(['', 'https://'])('a runner without a server gives no link: %j', async (GITHUB_SERVER_URL) => {
  using folder = makeFolder()
  const env = { GITHUB_ACTIONS: 'true', GITHUB_SERVER_URL, GITHUB_REPOSITORY: 'acme/shop', GITHUB_RUN_ID: '1' }
  await annotate(service.url, ['mark'], { env, cwd: folder.path })
  expect(service.stored).toHaveLength(1)
  expect(service.stored[0]).not.toHaveProperty('url')
})

test('a result that cannot be written is an error', async () => {
  const { ANNOTATE_TOKEN, ANNOTATE_DATASETS } = { ANNOTATE_TOKEN: TOKEN, ANNOTATE_DATASETS: 'web' }
  const env = { ...process.env, ANNOTATE_TOKEN, ANNOTATE_DATASETS, ANNOTATE_BASE_URL: service.url }
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [ANNOTATE, 'mark'], { env, stdio: ['ignore', full, 'pipe'] })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [exitCode] = await once(child, 'close')
  closeSync(full)
  expect([exitCode, said]).toEqual([1, expect.stringMatching(/error: The result cannot be written: .*ENOSPC/)])
  expect(service.stored).toHaveLength(1)
})

test('a dry run needs no token and sends nothing', async () => {
  const run = await annotate(service.url, ['mark', '--dry-run', '--json'], { env: { ANNOTATE_TOKEN: '' } })
  expect(run.exitCode).toBe(0)
  expect(JSON.parse(run.stdout)).toMatchObject({ dryRun: true, method: 'POST', body: { datasets: ['web'], type: 'deploy' } })
  expect(service.requests).toEqual([])
})

test('everything that is wrong is said at once, by the names of the flags, and ends with 2', async () => {
  const flags = ['--datasets', 'a_b', '--end-time', 'job-end', '--on-outage', 'panic', '--base-url', 'nowhere']
  const run = await annotate(service.url, ['mark', ...flags, '--type', '!', '--timeout-seconds', '0'], {
    env: { ANNOTATE_TOKEN: '' },
  })
  expect(run.exitCode).toBe(2)
  const named = run.stderr.trim().split('\n')
  expect(named.map((line) => /^error: (--[a-z-]+)/.exec(line)?.[1]).sort()).toEqual(
    ['--base-url', '--datasets', '--end-time', '--on-outage', '--timeout-seconds', '--token', '--type'].sort(),
  )
  expect(service.requests).toEqual([])
})

test('flags are data: what is near a useful value is taken with a warning, and --on-error warn covers the rest', async () => {
  const lenient = ['mark', '--datasets', '["web","api"]', '--type', 'feature/Login', '--time', '2026-11-26 17:50:16 +0100']
  const run = await annotate(service.url, lenient)
  expect(run).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/^warning: --type is "feature\/Login": "feature-login".*\n$/),
  })
  expect(service.stored).toMatchObject([{ datasets: ['web', 'api'], type: 'feature-login', time: '2026-11-26T16:50:16Z' }])
  for (const flags of [
    ['--type', '!'],
    ['--datasets', '[]'],
  ])
    expect(await annotate(service.url, ['mark', '--json', '--on-error', 'Warn', ...flags])).toMatchObject({
      exitCode: 0,
      stdout: 'null\n',
    })
  expect((await annotate(service.url, ['close', 'null', '--result', 'SUCCESS'])).stderr).toContain('nothing to close')
  expect(service.requests).toHaveLength(1)
})

test.each([[['mark', '--nonsense']], [['nonsense']], [['close']], [['change']], [['run']], [[]]])(
  '%j is wrong usage',
  async (args) => {
    expect(await annotate('http://127.0.0.1:1', args)).toMatchObject({ exitCode: 2, stdout: '' })
  },
)

test('the token is read from a file', async () => {
  using folder = makeFolder()
  writeFileSync(join(folder.path, 'token'), 'xapt-from-a-file\n')
  const env = { ANNOTATE_TOKEN: '', ANNOTATE_TOKEN_FILE: join(folder.path, 'token') }
  expect(await annotate(service.url, ['mark'], { env })).toMatchObject({ exitCode: 0 })
  expect(service.requests[0]?.headers.authorization).toBe('Bearer xapt-from-a-file')
  const missing = await annotate(service.url, ['mark'], { env: { ...env, ANNOTATE_TOKEN_FILE: '/nowhere/token' } })
  expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/--token-file is "\/nowhere\/token", .*ENOENT/) })
})

test('a token that the service echoes, or that follows a mistyped flag, is not shown', async () => {
  await using service = await startScriptedService({
    POST: () => ({ status: 401, body: JSON.stringify({ message: `no ${TOKEN}` }) }),
  })
  const refused = await annotate(service.url, ['mark'])
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/answered 401: no \*\*\*.*--base-url/) })
  const mistyped = await annotate(service.url, ['mark', `--tokn=${TOKEN}`])
  expect(mistyped.exitCode).toBe(2)
  expect(refused.stderr + mistyped.stderr).not.toContain(TOKEN)
})

test('--key keeps one annotation, and says whether it was created or changed', async () => {
  const first = await annotate(service.url, ['mark', '--key', 'shop 7', '--title', 'try 1'])
  const second = await annotate(service.url, ['mark', '--key', 'shop 7', '--title', 'try 2'])
  expect([first.stdout, second.stdout]).toEqual([
    expect.stringMatching(/^Created the annotation deploy "try 1"/),
    expect.stringMatching(/^Changed/),
  ])
  expect(service.stored).toMatchObject([{ title: 'try 2' }])
})

test.each([
  ['7', 'failed-deploy'],
  ['failure', 'failed-deploy'],
  ['0', 'deploy'],
])('a span that ends with %s is of type %s with --type-on-failure', async (result, type) => {
  using folder = makeFolder()
  const state = join(folder.path, 'span')
  await annotate(service.url, ['open', '--state', state, '--type-on-failure', 'failed-deploy'])
  await annotate(service.url, ['close', '--state', state, '--result', result])
  expect(service.stored).toMatchObject([{ type, endTime: expect.any(String) }])
})

test('what the service says besides is on stderr', async () => {
  const link = '</?annotations=ann_1>; rel="alternate"; type="text/html"'
  const headers = { link, 'annotation-warning': 'there is no dataset "wbe": did you mean "web"?' }
  const body = '{"id":"ann_1","datasets":["wbe"],"type":"deploy","time":"2026-01-01T00:00:00Z"}'
  await using service = await startScriptedService({ POST: () => ({ commit: true, status: 201, headers, body }) })
  const { stderr, stdout } = await annotate(service.url, ['mark', '--json'])
  expect(stderr).toBe(
    `On its charts: ${service.url}/?annotations=ann_1\nwarning: The annotation is stored, but there is no dataset "wbe": did you mean "web"?\n`,
  )
  expect(JSON.parse(stdout)).toMatchObject({ id: 'ann_1' })
})
