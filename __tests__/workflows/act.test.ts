/**
 * The step in a real runner, against the real service: the workflows of shop/ in nektos/act.
 */
import { join } from 'node:path'
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type ActOptions, hasAct, makeRepository } from '../support/act.ts'
import { type RunningService, startService } from '../support/service.ts'

if (!hasAct) console.warn('skipped: act is not built on this machine; npm run test:with -- act builds it')
const testInAct = hasAct ? test : test.skip

let service: RunningService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Runs one of the workflows; it marks the dataset of its own name. */
async function run(name: string, options: ActOptions = {}) {
  using repository = makeRepository('__tests__/workflows/shop', service.url)
  const { exitCode, log } = await repository.run(`${name}.yml`, { ...options, secrets: { TOKEN: service.token } })
  const headers = { authorization: `Bearer ${service.token}` }
  const response = await fetch(`${service.url}/v2/annotations?datasets=${name}`, { headers })
  return { exitCode, log, stored: (await response.json()) as Annotation[] }
}

testInAct('a mark is made, and later steps have its outputs', async () => {
  const { exitCode, log, stored } = await run('mark')
  const url = 'https://github.com/acme/shop/actions/runs/1/attempts/1'
  expect(stored).toMatchObject([{ type: 'deploy', title: 'Shop 🚀 main', url }])
  expect(log).toContain(`created, Shop 🚀 main, ${stored[0]?.id}`)
  expect(log).not.toContain(service.token)
  expect(exitCode).toBe(0)
})

testInAct.each([
  ['success', 'with the success of the job', /^success after \d+ s$/, 0],
  ['failure', 'with the failure of a later step', /^failure after \d+ s$/, 1],
  ['composite', 'without a result in a composite action, which is told of its own steps only', /^ended after \d+ s$/, 1],
  ['explicit', 'with the result that the workflow gives, as it is when the job ends', /^failure after \d+ s$/, 0],
])('%s: a span is closed %s', async (name, _, line, expectedCode) => {
  const { exitCode, stored } = await run(name)
  expect(stored).toMatchObject([{ endTime: expect.any(String), description: expect.stringMatching(line) }])
  expect(exitCode).toBe(expectedCode)
})

testInAct('a canary that made errors more frequent stops the job, and a later step can take it back', async () => {
  const deployedAt = Date.now() - 15 * 60_000
  // Of 200 requests a minute 2 failed, and 20 since the deployment.
  const events = Array.from({ length: 60 * 200 }, (_, n) => {
    const at = deployedAt + (Math.floor(n / 200) - 46) * 60_000
    return { _time: new Date(at).toISOString(), status: n % (at < deployedAt ? 100 : 10) === 0 ? 500 : 200 }
  })
  await fetch(`${service.url}/v1/datasets/compare/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(events),
  })
  const { exitCode, log } = await run('compare', { payload: { deployedAt: new Date(deployedAt).toISOString() } })
  expect(log).toMatch(/worse {2}errors {2}1\.0\d % {2}(9|10)\.\d+ %/)
  expect(log).toContain('rolled back, because it is worse')
  expect(exitCode).toBe(1)
})

testInAct('the command puts a span around what a step runs, with the link to the job', async () => {
  const { exitCode, stored } = await run('command', {
    env: { ANNOTATE: join(process.cwd(), 'packages/cli/lib/annotate.cjs'), ANNOTATE_BASE_URL: service.url },
  })
  const url = 'https://github.com/acme/shop/actions/runs/1/attempts/1'
  expect(stored).toMatchObject([{ title: 'Shop', url, description: expect.stringMatching(/^failure \(exit code 3\) after/) }])
  expect(exitCode).toBe(1)
})
