/**
 * The step in a real runner, against the real service: the workflows of shop/ in nektos/act, or in the runner that was chosen.
 */
import { join } from 'node:path'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { expect } from '@jest/globals'
import { ingest } from '../support/fill.ts'
import { serviceForTests } from '../support/for-tests.ts'
import { makeRepository, runner, testInRunner, type WorkflowOptions } from '../support/runners.ts'

const service = serviceForTests()

/** Runs one of the workflows; it marks the dataset of its own name. */
async function run(name: string, options: WorkflowOptions = {}) {
  using repository = makeRepository('__tests__/workflows/shop', { step: service.url, compare: service.url })
  const { exitCode, log } = await repository.run(`${name}.yml`, { ...options, secrets: { TOKEN: service.token } })
  const headers = { authorization: `Bearer ${service.token}` }
  const response = await fetch(`${service.url}/v2/annotations?datasets=${name}`, { headers })
  return { exitCode, log, stored: (await response.json()) as Annotation[] }
}

testInRunner('a mark is made, and later steps have its outputs', async () => {
  const { exitCode, log, stored } = await run('mark')
  expect(stored).toMatchObject([{ type: 'deploy', title: 'Shop 🚀 main', url: runner.runUrl }])
  expect(log).toContain(`created, Shop 🚀 main, ${stored[0]?.id}`)
  expect(log).not.toContain(service.token)
  expect(exitCode).toBe(0)
})

testInRunner.each([
  ['success', 'with the success of the job', runner.results.success, 0],
  ['failure', 'with the failure of a later step', runner.results.failure, 1],
  ['composite', 'without a result in a composite action, which is told of its own steps only', 'ended', 1],
  ['explicit', 'with the result that the workflow gives, as it is when the job ends', 'failure', 0],
])('%s: a span is closed %s', async (name, _, result, expectedCode) => {
  const { exitCode, stored } = await run(name)
  expect(stored).toMatchObject([{ endTime: expect.any(String), description: expect.stringMatching(`^${result} after \\d+ s$`) }])
  expect(exitCode).toBe(expectedCode)
})

testInRunner(
  'key: jobs of a matrix have one annotation, the failure of one stays, and the job that runs again keeps what the others said',
  async () => {
    const { exitCode, stored } = await run('key')
    expect(stored).toMatchObject([{ type: 'failed-deploy', description: expect.stringMatching(/failure after \d+ s/) }])
    expect(exitCode).toBe(1)
    const again = await run('key', { env: { GITHUB_RUN_ATTEMPT: '2' }, matrix: { region: 'us' } })
    expect(again.stored[0]?.description?.match(/\w+(?= after)/g)?.sort()).toEqual(['failure', 'success', 'success'])
  },
)

testInRunner('cancel: the span of a run that a person ends is closed', async () => {
  const { stored } = await run('cancel', { cancelAt: 'the rollout is on its way' })
  const description = expect.stringMatching(`^${runner.results.cancelled} after \\d+ s$`)
  expect(stored).toMatchObject([{ endTime: expect.any(String), description }])
})

testInRunner('wrong: whatever is wrong with the inputs, what is deployed after a step that only warns is deployed', async () => {
  const { exitCode, log } = await run('wrong')
  expect(log).toContain('deployed, and the annotation is failed')
  expect(log).toContain('::warning::')
  expect(log).not.toContain('::error::')
  expect(exitCode).toBe(0)
})

testInRunner('a canary that made errors more frequent stops the job, and a later step can take it back', async () => {
  const deployedAt = Date.now() - 15 * 60_000
  // Of 200 requests a minute 2 failed, and 20 since the deployment.
  const events = Array.from({ length: 60 * 200 }, (_, n) => {
    const at = deployedAt + (Math.floor(n / 200) - 46) * 60_000
    return { _time: new Date(at).toISOString(), status: n % (at < deployedAt ? 100 : 10) === 0 ? 500 : 200 }
  })
  await ingest(service, 'compare', events)
  const { exitCode, log } = await run('compare', { env: { DEPLOYED_AT: new Date(deployedAt).toISOString() } })
  expect(log).toMatch(/worse {2}errors {2}1(?:\.0\d)? % {2}(?:9|10)(?:\.\d+)? %/)
  expect(log).toContain('rolled back, because it is worse')
  expect(exitCode).toBe(1)
})

testInRunner('the command puts a span around what a step runs, with the link to the job', async () => {
  const { exitCode, stored } = await run('command', {
    env: { ANNOTATE: join(process.cwd(), 'packages/cli/lib/annotate.cjs'), ANNOTATE_BASE_URL: service.url },
  })
  expect(stored).toMatchObject([
    { title: 'Shop', url: runner.runUrl, description: expect.stringMatching(/^failure \(exit code 3\) after/) },
  ])
  expect(exitCode).toBe(1)
})
