/** A failed deployment looks different: its annotation gets another type. */
import { expect, test } from '@jest/globals'
import { runAction, runPost } from '../support/run-action.ts'
import { startScriptedService } from '../support/scripted-service.ts'

const BASICS = { token: 'xaat-1', datasets: 'web', type: 'deploy', typeOnFailure: 'failed-deploy' }

async function runJob(status: string, more: Record<string, string> = {}) {
  await using service = await startScriptedService()
  const inputs = { ...BASICS, baseUrl: service.url, ...more }
  const main = await runAction(inputs)
  const post = await runPost(main, inputs, { job: { status } })
  return { post, stored: service.stored, requests: service.requests.map(({ method }) => method).join(' ') }
}

test.concurrent.each([
  [{}, 'The job failed, so the annotation ann_1 is of type failed-deploy now'],
  [{ endTime: 'job-end' }, 'Closed the release span ann_1: failure after'],
])('after a failure the type is the other one, and the log says so: %j', async (more, said) => {
  const { post, stored } = await runJob('failure', more)
  expect(post).toMatchObject({ exitCode: 0, warnings: [], log: [expect.stringContaining(said)] })
  expect(stored).toMatchObject([{ id: 'ann_1', type: 'failed-deploy' }])
})

test.concurrent.each(['success', 'cancelled'])('after %s it stays, and nothing is asked', async (status) => {
  const { stored, requests } = await runJob(status)
  expect([stored[0]?.type, requests]).toEqual(['deploy', 'POST'])
})

test.concurrent('a span that was closed before gets the type all the same', async () => {
  await using service = await startScriptedService()
  const inputs = { ...BASICS, baseUrl: service.url, endTime: 'job-end' }
  const main = await runAction(inputs)
  await runAction({ ...inputs, datasets: '', type: '', typeOnFailure: '', id: main.outputs.id ?? '', endTime: 'now' })
  const end = service.stored[0]?.endTime
  await runPost(main, inputs, { job: { status: 'failure' } })
  expect(service.stored).toMatchObject([{ type: 'failed-deploy', endTime: end }])
})

test.concurrent('an existing annotation gets it too', async () => {
  await using service = await startScriptedService()
  const first = await runAction({ ...BASICS, baseUrl: service.url, typeOnFailure: '' })
  const inputs = {
    token: 'xaat-1',
    baseUrl: service.url,
    id: first.outputs.id ?? '',
    title: 'v2',
    typeOnFailure: 'failed-deploy',
  }
  await runPost(await runAction(inputs), inputs, { job: { status: 'failure' } })
  expect(service.stored).toMatchObject([{ title: 'v2', type: 'failed-deploy' }])
})
