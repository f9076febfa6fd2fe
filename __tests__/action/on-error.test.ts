/** What a mark may do to its job: `onError`, a span that outlives an outage, clocks that are wrong, and state that was cut short. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { folderForTests } from '../support/for-tests.ts'
import { readYaml } from '../support/read-yaml.ts'
import { runAction, runPost } from '../support/run-action.ts'
import { type Script, startScriptedService } from '../support/scripted-service.ts'

const BASICS = { token: 'xaat-1', datasets: 'web', type: 'deploy' }
const SPAN = { ...BASICS, endTime: 'job-end' }

test.concurrent.each([401, 403, 404, 302])('with onError: warn a %d does not stop a rollback', async (status) => {
  await using service = await startScriptedService({ POST: () => ({ status, body: '<title>portal</title>' }) })
  const inputs = { ...SPAN, baseUrl: service.url, onError: 'warn' }
  const main = await runAction(inputs)
  expect(main).toMatchObject({ exitCode: 0, errors: [], outputs: { outcome: 'failed', id: '' } })
  expect(main.warnings).toEqual([expect.stringMatching(`answered ${status}.*The job goes on because "onError" is "warn"`)])
  expect(await runPost(main, inputs)).toMatchObject({ exitCode: 0, stdout: '' })
})

test.concurrent('without it the job fails, and says so in its outcome', async () => {
  await using service = await startScriptedService({ POST: () => ({ status: 404 }) })
  const main = await runAction({ ...BASICS, baseUrl: service.url })
  expect(main).toMatchObject({ exitCode: 1, outputs: { outcome: 'failed' } })
  expect(main.errors).toEqual([expect.stringMatching(/Check "baseUrl": there is no annotation service\.$/)])
})

test.concurrent.each(Object.entries(readYaml<Record<string, string>>(import.meta.url, 'wrong-inputs.yaml')))(
  'with onError: warn a wrong input does not stop a deployment: %s',
  async (name, text) => {
    const run = await runAction({ ...BASICS, [name]: text, onError: ' Warn' })
    expect(run).toMatchObject({ exitCode: 0, errors: [], outputs: { outcome: 'failed', id: '', annotation: 'null' } })
    expect(run.warnings).toEqual([expect.stringMatching(`^input "${name}".*The job goes on because "onError" is "warn"`)])
    expect(await runAction({ ...BASICS, [name]: text })).toMatchObject({ exitCode: 1, outputs: { outcome: 'failed' } })
  },
)

const outages: [string, Script][] = [
  ['refused connections', {}],
  ['a 503 for everything', { POST: () => ({ status: 503 }), GET: () => ({ status: 503 }) }],
  ['a 429', { POST: () => ({ status: 429, headers: { 'retry-after': '3600' } }) }],
]
test.each(outages)('a span outlives an outage at its start: %s', async (name, script) => {
  const down = await startScriptedService(script)
  if (name === 'refused connections') await down.close()
  const inputs = { ...SPAN, baseUrl: down.url, timeoutSeconds: '2', typeOnFailure: 'failed-deploy', description: 'Shop v2' }
  const main = await runAction(inputs)
  expect(main).toMatchObject({ exitCode: 0, outputs: { outcome: 'unreachable' } })
  await down.close()
  await using up = await startScriptedService({}, { port: down.port })
  const post = await runPost(main, inputs, { job: { status: 'failure' } })
  expect(post).toMatchObject({ exitCode: 0, warnings: [] })
  expect(up.stored).toMatchObject([
    {
      type: 'failed-deploy',
      endTime: expect.any(String),
      description: expect.stringMatching(/^Shop v2\n\nfailure after \d+ s$/),
    },
  ])
  expect(post.log.join()).toContain('Created the release span ann_1 with its end')
})

test.concurrent.each(['{"annotation":{"datasets":["we', 'null', '{"isSpan":true,"annotation":{}}'])(
  'state that was cut short is a warning, never a stack trace: %s',
  async (intent) => {
    await using service = await startScriptedService()
    const inputs = { ...SPAN, baseUrl: service.url }
    const main = await runAction(inputs)
    const post = await runPost({ ...main, state: { ...main.state, intent } }, inputs)
    expect(post).toMatchObject({ exitCode: 0, stderr: '', warnings: [expect.stringContaining('(GITHUB_STATE) cannot be read')] })
  },
)

const folder = folderForTests('clock')

/** @returns variables of a step whose clock is so far off, once the first request has begun */
function withClock(offMs: number) {
  const file = join(folder, `${offMs}.cjs`)
  const setBack = `let n = 0; const now = Date.now; Date.now = () => now() + (n++ < 2 ? 0 : ${offMs})`
  writeFileSync(file, setBack)
  return { env: { NODE_OPTIONS: `--require ${file}` } }
}

test('a clock that is set back does not stretch the budget', async () => {
  await using service = await startScriptedService({ POST: () => ({ status: 503 }), GET: () => ({ status: 503 }) })
  const run = await runAction({ ...BASICS, baseUrl: service.url, timeoutSeconds: '2' }, withClock(-3_600_000))
  expect(run.outputs.outcome).toBe('unreachable')
  expect(run.durationMs).toBeLessThan(4_000)
})

test.concurrent.each([
  ['Wed, 01 Jan 2020 00:00:00 GMT', /The clock of this machine is \d+ d(?: \d+ h)? ahead of the service's/],
  ['Wed, 01 Jan 2200 00:00:00 GMT', /The clock of this machine is \d+ d( \d+ h)? behind the service's/],
])('the clock of the runner is held against the answer: %s', async (date, words) => {
  await using service = await startScriptedService({ POST: () => ({ commit: true, headers: { date } }) })
  const run = await runAction({ ...BASICS, baseUrl: service.url })
  expect(run).toMatchObject({ exitCode: 0, warnings: [expect.stringMatching(words)], outputs: { outcome: 'created' } })
})
