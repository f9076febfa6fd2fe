/** However answers are lost and lists lag: one copy after the post step. */
import { createClient } from '@deployment-annotations/client'
import { expect, test } from '@jest/globals'
import { tokenWith } from '../support/fill.ts'
import { startLossyProxy } from '../support/lossy-proxy.ts'
import { runAction, runPost } from '../support/run-action.ts'
import { reset, startScriptedService } from '../support/scripted-service.ts'
import { startService } from '../support/service.ts'

const BASICS = { datasets: 'web', type: 'deploy', title: 'Shop v2' }

test.concurrent('where the list lags behind the create whose answer was lost, the second copy is removed by the post step', async () => {
  await using service = await startScriptedService({
    POST: (count) => (count === 1 ? { ...reset, commit: true } : undefined),
    GET: (count) => (count <= 2 ? { status: 200, body: '[]' } : undefined),
  })
  const inputs = { ...BASICS, token: 'xaat-1', baseUrl: service.url }
  const main = await runAction(inputs)
  expect(service.stored.map(({ id }) => id)).toEqual(['ann_1', 'ann_2'])
  await runPost(main, inputs)
  expect(service.stored.map(({ id }) => id)).toEqual([main.outputs.id])
})

test.concurrent('a token that may only create leaves one copy on our service, which knows the request again', async () => {
  await using service = await startService()
  await using proxy = await startLossyProxy(service.url, (method, count) => method === 'POST' && count === 1)
  await using client = createClient({ token: service.token, baseUrl: service.url })
  const token = await tokenWith(service, 'annotations|create')
  const inputs = { ...BASICS, token, baseUrl: proxy.url }
  const main = await runAction(inputs)
  const post = await runPost(main, inputs)
  expect([main.exitCode, main.outputs.outcome, post.exitCode, proxy.counts.POST]).toEqual([0, 'created', 0, 2])
  expect((await client.annotations.list()).map(({ id }) => id)).toEqual([main.outputs.id])
})
