/** `annotate run`: a span around a command, which runs and ends as it would without one. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { readYaml } from '../../../__tests__/support/read-yaml.ts'
import { type ScriptedService, silence, startScriptedService } from '../../../__tests__/support/scripted-service.ts'
import { until } from '../../../__tests__/support/until.ts'
import { annotate, makeFolder, startAnnotate } from './run-annotate.ts'

const AWAY = 'http://127.0.0.1:1'
const sh = (script: string) => ['run', '--', 'sh', '-c', script]

const isClosed = (service: ScriptedService) => service.stored.some(({ endTime }) => endTime !== undefined)

test.each([
  ['exit 0', 0, /^success \(exit code 0\) after \d+ s$/],
  ['exit 3', 3, /^failure \(exit code 3\) after \d+ s$/],
  ['kill -TERM $$', 143, /^failure \(SIGTERM\) after \d+ s$/],
])('the command `%s` ends with %i, and its span says so', async (script, exitCode, description) => {
  await using service = await startScriptedService()
  const run = await annotate(service.url, sh(`echo out; echo err >&2; ${script}`))
  expect(run).toMatchObject({ exitCode, stdout: 'out\n', stderr: expect.stringMatching(/err\n/) })
  expect(service.stored).toMatchObject([{ endTime: expect.any(String), description: expect.stringMatching(description) }])
})

test('arguments reach the command as they are, flags like ours among them', async () => {
  await using service = await startScriptedService()
  const run = await annotate(service.url, ['run', '--title', 'x', '--', 'printf', '%s|', '--title', 'a b', '--', ''])
  expect(run.stdout).toBe('--title|a b|--||')
  expect(service.stored).toMatchObject([{ title: 'x' }])
})

test('a command that is not there ends with 127', async () => {
  await using service = await startScriptedService()
  const run = await annotate(service.url, ['run', '--', 'no-such-command'])
  expect(run).toMatchObject({ exitCode: 127, stderr: expect.stringMatching(/error: Could not run no-such-command/) })
})

test('a command without a token runs with a warning, without a span', async () => {
  const run = await annotate(AWAY, sh('echo ran; exit 5'), { env: { ANNOTATE_TOKEN: '' } })
  expect(run).toMatchObject({ exitCode: 5, stdout: 'ran\n', stderr: expect.stringMatching(/^warning: There is no token/m) })
  expect(run.stderr).not.toMatch(/error/)
})

test.each(
  readYaml<[what: string, flags: string[], env: Record<string, string>, line: string][]>(import.meta.url, 'wrong-flags.yaml'),
)('%s that is wrong does not keep the command from running', async (_, flags, env, line) => {
  const run = await annotate(AWAY, ['run', ...flags, ...sh('echo ran; exit 5').slice(1)], { env })
  expect(run).toMatchObject({ exitCode: 5, stdout: 'ran\n', stderr: expect.stringMatching(new RegExp(`^${line}`, 'm')) })
})

test('everything that is wrong is said, and that there is no span', async () => {
  const run = await annotate(AWAY, ['run', '--type', '🚀', '--datasets', 'user_api', '--', 'true'])
  expect(run.exitCode).toBe(0)
  expect(run.stderr).toMatch(/^warning: --datasets .*\nwarning: --type .*\nwarning: The command runs without a span\.\n$/)
})

test('without a command nothing runs, and that is wrong usage', async () => {
  const run = await annotate(AWAY, ['run', '--titel', 'v1', 'true'])
  expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(/^error: unknown option/) })
})

test.concurrent('the command does not wait for the service, and an outage does not change its exit code', async () => {
  await using service = await startScriptedService({ POST: () => silence, GET: () => silence })
  const running = startAnnotate(service.url, sh('echo ran; exit 5'), { env: { ANNOTATE_TIMEOUT_SECONDS: '4' } })
  const startedAt = Date.now()
  await until('that it runs', () => running.output.stdout === 'ran\n')
  expect(Date.now() - startedAt).toBeLessThan(3_000)
  expect(await running.ended).toMatchObject({ exitCode: 5, stderr: expect.stringMatching(/^warning: Could not create/m) })
})

test('a token that is refused does not keep the command from running either', async () => {
  await using service = await startScriptedService({ POST: () => ({ status: 401 }) })
  const run = await annotate(service.url, sh('exit 6'))
  expect(run).toMatchObject({ exitCode: 6, stderr: expect.stringMatching(/answered 401/) })
  expect(service.requests).toHaveLength(1)
})

test.concurrent('a service that comes back while the command runs gets the whole span', async () => {
  await using service = await startScriptedService({
    POST: (count) => (count <= 1 ? { status: 429, headers: { 'retry-after': '60' } } : undefined),
  })
  const run = await annotate(service.url, sh('sleep 1; exit 4'))
  expect(run.exitCode).toBe(4)
  expect(service.stored).toMatchObject([
    { endTime: expect.any(String), description: expect.stringMatching(/^failure \(exit code 4\)/) },
  ])
})

test.concurrent('commands that share a key one after the other make one span, and the failure of the first stays', async () => {
  await using service = await startScriptedService()
  const flags = ['--key', 'deploy-7', '--type-on-failure', 'failed-deploy']
  await annotate(service.url, ['run', ...flags, '--', process.execPath, '-e', 'process.exit(3)'])
  await annotate(service.url, ['run', ...flags, '--', process.execPath, '-e', ''])
  expect(service.stored).toMatchObject([{ type: 'failed-deploy' }])
  expect(service.stored[0]?.description).toMatch(/^failure \(exit code 3\) after .*\n\nsuccess \(exit code 0\) after /)
})

/** The machine takes this process off its processor when the command has begun. */
const SLOW_SPAWN = `const processes = require('node:child_process')
const { spawn } = processes
processes.spawn = (...given) => { const child = spawn(...given); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000); return child }`

test.each([
  ['', ''],
  [' that is being started', SLOW_SPAWN],
])('a signal goes to the command%s, which may end in its own way', async (_, before) => {
  using folder = makeFolder()
  writeFileSync(join(folder.path, 'before.cjs'), before)
  await using service = await startScriptedService()
  const env = { NODE_OPTIONS: `--require ${join(folder.path, 'before.cjs')}` }
  const running = startAnnotate(service.url, sh('trap "echo bye; exit 9" TERM; echo up; while :; do sleep 0.1; done'), { env })
  await until('that it runs', () => running.output.stdout === 'up\n')
  running.child.kill('SIGTERM')
  expect(await running.ended).toMatchObject({ exitCode: 9, stdout: 'up\nbye\n' })
  expect(service.stored[0]?.description).toMatch(/^canceled \(exit code 9\) after/)
})

test.concurrent('a span is closed even if annotate itself is killed', async () => {
  await using service = await startScriptedService()
  const running = startAnnotate(service.url, sh('echo up; sleep 3'))
  await until('the request', () => service.stored.length === 1 && running.output.stderr.includes('ann_1'))
  running.child.kill('SIGKILL')
  await until('the end of the span', () => isClosed(service))
  expect(service.stored).toMatchObject([{ description: expect.stringMatching(/^ended after/) }])
})

test.concurrent('a span whose create was cut off by a kill is found and closed, too', async () => {
  await using service = await startScriptedService({ POST: () => ({ ...silence, commit: true }) })
  const running = startAnnotate(service.url, sh('echo up; sleep 3'))
  await until('the request', () => service.stored.length === 1)
  running.child.kill('SIGKILL')
  await until('the end of the span', () => isClosed(service))
  expect(service.stored).toHaveLength(1)
})

test.concurrent('a kill after the command has ended does not lose how it went', async () => {
  await using service = await startScriptedService({ PUT: (count) => (count === 1 ? silence : undefined) })
  const running = startAnnotate(service.url, sh('sleep 1; exit 3'))
  await until('the request', () => service.requests.some(({ method }) => method === 'PUT'))
  running.child.kill('SIGKILL')
  await until('the end of the span', () => isClosed(service))
  expect(service.stored).toMatchObject([{ description: expect.stringMatching(/^failure \(exit code 3\) after/) }])
})
