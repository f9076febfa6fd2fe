/**
 * The step and its post step against the real service, judged by what the service has stored.
 */

import { createClient } from '@deployment-annotations/client'
import { expect, test } from '@jest/globals'
import { clientForTests } from '../support/client.ts'
import { serviceForTests } from '../support/for-tests.ts'
import { runAction, runPost } from '../support/run-action.ts'
import { startService } from '../support/service.ts'

const service = serviceForTests()
const client = clientForTests(service)
const basics = () => ({ token: service.token, baseUrl: service.url, type: 'deploy' })

test('creates one annotation with everything that was given', async () => {
  const given = {
    type: 'deploy',
    time: '2026-01-31T12:00:00.123456789Z',
    endTime: '2026-01-31T12:05:00Z',
    title: 'v1.2 🚀',
    description: 'some **Markdown**',
    url: 'https://example.com/v1.2',
  }
  const run = await runAction({ ...basics(), ...given, datasets: 'all-given, other' })
  expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: 'created' } })
  const listed = await client.annotations.list({ datasets: ['all-given'] })
  expect(listed).toEqual([{ id: run.outputs.id, datasets: ['all-given', 'other'], ...given }])
  expect(JSON.parse(run.outputs.annotation ?? '')).toEqual(listed[0])
})

test('with id only what was given is changed', async () => {
  const created = await client.annotations.create({
    datasets: ['changing'],
    type: 'deploy',
    title: 'v1',
    url: 'https://example.com',
  })
  const { id, time } = created
  const run = await runAction({ token: service.token, baseUrl: service.url, id, endTime: 'now', description: 'rolled back' })
  expect(run).toMatchObject({ exitCode: 0, outputs: { id, outcome: 'changed' } })
  expect(run.log[0]).toMatch(new RegExp(`^Changed the annotation deploy "v1" on changing at ${time} to .*: ${id}$`))
  expect(await client.annotations.get(id)).toEqual({ ...created, description: 'rolled back', endTime: expect.any(String) })
})

test('a release span is stored open and closed with the result of the job', async () => {
  const inputs = { ...basics(), datasets: 'spanning', endTime: 'job-end' }
  const main = await runAction(inputs)
  expect((await client.annotations.get(main.outputs.id ?? '')).endTime).toBeUndefined()
  const post = await runPost(main, inputs, { job: { status: 'failure' } })
  expect(post.warnings).toEqual([])
  expect(await client.annotations.get(main.outputs.id ?? '')).toMatchObject({
    endTime: expect.any(String),
    description: expect.stringMatching(/^failure after \d+ s$/),
  })
})

test('jobs of a matrix that mark the same thing at the same moment leave one annotation each', async () => {
  const runs = await Promise.all([1, 2, 3, 4].map(() => runAction({ ...basics(), datasets: 'matrix', title: 'v1' })))
  const listed = await client.annotations.list({ datasets: ['matrix'] })
  expect(listed.map(({ id }) => id).sort()).toEqual(runs.map(({ outputs }) => outputs.id).sort())
})

test.each<[what: string, inputs: (id: string) => Record<string, string>, message: RegExp]>([
  [
    'a wrong token',
    () => ({ token: 'xaat-wrong', datasets: 'web' }),
    /answered 401: .+\. Trace id [\w-]+\. 1 attempt in .* Check that the token/,
  ],
  [
    'an unknown id',
    () => ({ id: 'ann_00000000000000000000000000', title: 'x' }),
    /Could not change the annotation: PUT .* answered 404: /,
  ],
  ['an end before the stored begin', (id) => ({ id, endTime: '2020-01-01' }), /answered 422: .*endTime/],
  ['another path', () => ({ baseUrl: `${service.url}/elsewhere`, datasets: 'web' }), /answered 404.*"baseUrl"/],
])('%s fails the job with the words of the service', async (_, inputsOf, message) => {
  const { id } = await client.annotations.create({ datasets: ['web'], type: 'deploy' })
  const run = await runAction({ ...basics(), type: '', ...inputsOf(id) })
  expect(run).toMatchObject({ exitCode: 1, warnings: [], errors: [expect.stringMatching(message)] })
})

test('a service that is restarted during the step gets the annotation once', async () => {
  // Below the ports that the system hands out, so that nobody else is given it meanwhile.
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const first = await startService({ port })
  await first.stop()
  const running = runAction({
    token: first.token,
    baseUrl: first.url,
    type: 'deploy',
    datasets: 'restarted',
    timeoutSeconds: '45',
  })
  await using second = await startService({ port })
  const run = await running
  expect(run).toMatchObject({ errors: [], exitCode: 0, outputs: { outcome: 'created' } })
  await using looking = createClient({ token: second.token, baseUrl: second.url })
  expect(await looking.annotations.list()).toMatchObject([{ id: run.outputs.id }])
})
