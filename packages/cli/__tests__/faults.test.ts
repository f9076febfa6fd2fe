/** Bad days: lost answers, outages and kills leave one annotation, not none and not two, and never stop a deployment. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { startProxy } from '../../../__tests__/support/proxy.ts'
import { hangUp, silence, startScriptedService } from '../../../__tests__/support/scripted-service.ts'
import { annotate, makeFolder, startAnnotate, TOKEN } from './run-annotate.ts'

const AWAY = 'http://127.0.0.1:1'

test.concurrent('a lost answer leaves one annotation', async () => {
  await using service = await startScriptedService({ POST: (count) => (count === 1 ? { ...hangUp, commit: true } : undefined) })
  const run = await annotate(service.url, ['mark'])
  expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/: ann_1\n$/) })
  expect(service.stored).toHaveLength(1)
})

test.concurrent('an outage is a warning, and a failure on request', async () => {
  const env = { ANNOTATE_TIMEOUT_SECONDS: '0.5' }
  const warned = await annotate(AWAY, ['mark'], { env })
  expect(warned).toMatchObject({
    exitCode: 0,
    stdout: '',
    stderr: expect.stringMatching(/^warning: Could not create.*ECONNREFUSED/m),
  })
  const failed = await annotate(AWAY, ['mark', '--on-outage', 'fail'], { env })
  expect(failed).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(/^error: Could not create/m) })
  expect(await annotate(AWAY, ['list'], { env })).toMatchObject({ exitCode: 1 })
  expect((await annotate(AWAY, ['open', '--json'], { env })).stdout).toBe('null\n')
})

test.concurrent('an open that was killed before its answer came is found again by close', async () => {
  let arrive: () => void = () => undefined
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await using service = await startScriptedService({
    POST: () => {
      arrive()
      return { ...silence, commit: true }
    },
  })
  using folder = makeFolder()
  const opening = startAnnotate(service.url, ['open', '--state', 'span'], { cwd: folder.path })
  await arrived
  opening.child.kill('SIGKILL')
  await opening.ended
  expect(readFileSync(join(folder.path, 'span'), 'utf8')).not.toContain(TOKEN)
  const closed = await annotate(service.url, ['close', '--state', 'span', '--result', 'failure'], { cwd: folder.path })
  expect(closed).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/the annotation exists: ann_1\nClosed .*: failure after/),
  })
  expect(service.stored).toMatchObject([{ endTime: expect.any(String) }])
})

test.concurrent('a span whose answer was lost is closed by a token that may not list', async () => {
  await using service = await startScriptedService({
    POST: (count) => (count === 1 ? { ...hangUp, commit: false } : undefined),
    GET: () => ({ status: 403 }),
  })
  using folder = makeFolder()
  await annotate(service.url, ['open', '--state', 'span'], { cwd: folder.path })
  expect(await annotate(service.url, ['close', '--state', 'span'], { cwd: folder.path })).toMatchObject({ exitCode: 0 })
  expect(service.stored).toMatchObject([{ endTime: expect.any(String), description: expect.stringMatching(/^ended after/) }])
})

test.concurrent('close has nothing to do where open was never reached, and creates the span whole where it had an outage', async () => {
  await using service = await startScriptedService()
  using folder = makeFolder()
  const close = () => annotate(service.url, ['close', '--state', 'span'], { cwd: folder.path })
  expect(await close()).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/nothing to close/) })
  const env = { ANNOTATE_TIMEOUT_SECONDS: '0.5' }
  await annotate(AWAY, ['open', '--state', 'span'], { cwd: folder.path, env })
  expect(await close()).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^Created the release span ann_1 with its end/),
  })
  expect(service.stored).toMatchObject([{ endTime: expect.any(String), description: expect.stringMatching(/after \d+ s$/) }])
})

test.concurrent('the empty id of an open that had an outage closes nothing and fails nothing', async () => {
  await using service = await startScriptedService()
  const run = await annotate(service.url, ['close', ''])
  expect(run).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/nothing to close/) })
  expect(service.requests).toEqual([])
})

test.concurrent('close by an id leaves the state of another span alone', async () => {
  await using service = await startScriptedService()
  using folder = makeFolder()
  const options = { cwd: folder.path, env: { ANNOTATE_STATE: 'span' } }
  await annotate(service.url, ['open'], options)
  const { stdout } = await annotate(service.url, ['open'], { cwd: folder.path })
  await annotate(service.url, ['close', stdout.trim()], options)
  await annotate(service.url, ['close'], options)
  expect(service.stored.every(({ endTime }) => endTime !== undefined)).toBe(true)
})

test.concurrent('a state that cannot be written is wrong usage, before anything is sent', async () => {
  await using service = await startScriptedService()
  const run = await annotate(service.url, ['open', '--state', '/nowhere/span'])
  expect(run).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/--state is "\/nowhere\/span", which cannot be written: ENOENT/),
  })
  expect(service.requests).toEqual([])
})

test.concurrent('a proxy that a variable names carries the requests', async () => {
  await using service = await startScriptedService()
  await using proxy = await startProxy()
  const run = await annotate(`http://service.invalid:${service.port}`, ['mark', '--allow-http'], {
    env: { http_proxy: proxy.url },
  })
  expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/ann_1/) })
  expect(proxy.tunnels).toEqual([`service.invalid:${service.port}`])
})
