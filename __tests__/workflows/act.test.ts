/**
 * The step in a real runner, against the real service: the workflows of shop/ in nektos/act.
 */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { hasAct, makeRepository } from '../support/act.ts'
import { type RunningService, startService } from '../support/service.ts'

if (!hasAct) console.warn('skipped: act is not built on this machine; npm run test:act builds it')
const testInAct = hasAct ? test : test.skip

let service: RunningService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Runs one of the workflows; it marks the dataset of its own name. */
async function run(name: string) {
  using repository = makeRepository('__tests__/workflows/shop', service.url)
  const { exitCode, log } = await repository.run(`${name}.yml`, { secrets: { TOKEN: service.token } })
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
