/** One annotation for a key, on our service, and on one that knows no keys, as the hosted one. */
import { type Annotation, createClient } from '@deployment-annotations/client'
import { expect, test } from '@jest/globals'
import { runAction, runPost } from '../support/run-action.ts'
import { startScriptedService } from '../support/scripted-service.ts'
import { startService } from '../support/service.ts'

const inputsOf = ({ url, token = 'xaat-1' }: { url: string; token?: string }) => ({
  token,
  baseUrl: url,
  datasets: 'web',
  type: 'deploy',
  key: 'octo/shop 7001',
})

const places = [
  ['our service', async () => await startService()],
  ['a service that knows no keys', async () => await startScriptedService()],
] as const

test.each(places)('on %s a matrix of three makes one mark, and the run that is repeated changes it', async (_, start) => {
  await using service = await start()
  const inputs = inputsOf(service)
  const jobs = await Promise.all(['eu', 'us', 'asia'].map((region) => runAction({ ...inputs, title: `Shop to ${region}` })))
  expect(jobs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
  expect(jobs.filter(({ outputs }) => outputs.outcome === 'created')).toHaveLength(1)
  const again = await runAction({ ...inputs, title: 'Shop, second attempt' })
  expect(again).toMatchObject({ exitCode: 0, outputs: { outcome: 'changed' } })
  expect(again.log.join()).toContain('Changed deploy "Shop, second attempt" on web')
  await using client = createClient({ token: inputs.token, baseUrl: service.url })
  expect(await client.annotations.list()).toEqual([JSON.parse(again.outputs.annotation ?? '')])
})

test.each(places)('on %s jobs that share a span by its key close it with the last of them', async (_, start) => {
  await using service = await start()
  const inputs = { ...inputsOf(service), endTime: 'job-end', description: 'Shop **v2**' }
  const [first, second] = [await runAction(inputs), await runAction(inputs)]
  await runPost(first, inputs, { job: { status: 'success' } })
  const post = await runPost(second, inputs, { job: { status: 'failure' } })
  expect(post.log.join()).toMatch(/Closed the release span ann_\w+: failure after/)
  await using client = createClient({ token: inputs.token, baseUrl: service.url })
  const [span, ...others] = await client.annotations.list()
  expect(others).toEqual([])
  expect(span?.description).toMatch(
    /^Shop \*\*v2\*\*\n\nsuccess after \d+ s\n\nfailure after \d+ s(\n\n\[\/\/\]: # \(key: octo%2Fshop%207001 7001 2 failed\))?$/,
  )
})

test.each(places)(
  'on %s jobs that run one after the other make one truth: failure sticks, and each line stays',
  async (_, start) => {
    await using service = await start()
    const inputs = { ...inputsOf(service), endTime: 'job-end', typeOnFailure: 'failed-deploy', title: 'Shop' }
    const marks: Annotation[] = []
    for (const [status, datasets] of Object.entries({ failure: 'web, api', success: 'web', cancelled: 'web, db' })) {
      const job = { ...inputs, datasets, url: `https://ci/${status}` }
      const main = await runAction(job)
      const post = await runPost(main, job, { job: { status } })
      expect(post).toMatchObject({ exitCode: 0, warnings: [], errors: [] })
      expect(post.log.join()).toMatch(new RegExp(`Closed the release span \\w+: ${status} after`))
      marks.push(JSON.parse(main.outputs.annotation ?? ''))
    }
    expect(new Set(marks.map(({ id }) => id)).size).toBe(1)
    await using client = createClient({ token: inputs.token, baseUrl: service.url })
    const [span, ...others] = await client.annotations.list()
    expect(others).toEqual([])
    expect(span).toMatchObject({ type: 'failed-deploy', url: 'https://ci/failure', datasets: ['api', 'db', 'web'] })
    expect(span?.description).toMatch(/^failure after \d+ s\n\nsuccess after \d+ s\n\ncancelled after \d+ s(\n\n.*)?$/)
    expect([span?.time, (span?.endTime ?? '') > (marks[2]?.time ?? '')]).toEqual([marks[0]?.time, true])
  },
)

test.each(places)('on %s another attempt of the run begins afresh', async (_, start) => {
  await using service = await start()
  const inputs = { ...inputsOf(service), endTime: 'job-end', typeOnFailure: 'failed-deploy' }
  const first = await runAction(inputs, { env: { GITHUB_RUN_ATTEMPT: '1' } })
  await runPost(first, inputs, { job: { status: 'failure' }, env: { GITHUB_RUN_ATTEMPT: '1' } })
  const second = await runAction(inputs)
  await runPost(second, inputs, { job: { status: 'success' } })
  await using client = createClient({ token: inputs.token, baseUrl: service.url })
  const marks = await client.annotations.list()
  expect(marks).toMatchObject([{ type: 'deploy', description: expect.stringMatching(/^success after \d+ s(\n\n\[.*)?$/) }])
  expect(marks[0]?.time).toBe(JSON.parse(second.outputs.annotation ?? '').time)
})

test.each(places)('on %s jobs at the same moment agree', async (_, start) => {
  await using service = await start()
  const inputs = { ...inputsOf(service), endTime: 'job-end', typeOnFailure: 'failed-deploy' }
  const statuses = ['success', 'failure', 'cancelled']
  const mains = await Promise.all(statuses.map(() => runAction(inputs)))
  await Promise.all(mains.map((main, n) => runPost(main, inputs, { job: { status: statuses[n] ?? '' } })))
  await using client = createClient({ token: inputs.token, baseUrl: service.url })
  const [span, ...others] = await client.annotations.list()
  expect([others, span?.type]).toEqual([[], 'failed-deploy'])
  for (const status of statuses) expect(span?.description).toContain(`${status} after`)
})

test('the main step of a keyed annotation that was killed is found by its key', async () => {
  await using service = await startService()
  const inputs = { ...inputsOf(service), endTime: 'job-end' }
  const main = await runAction(inputs)
  const { id: _, ...state } = main.state
  await runPost({ ...main, state }, inputs, { job: { status: 'success' } })
  await using client = createClient({ token: inputs.token, baseUrl: service.url })
  expect(await client.annotations.list()).toMatchObject([{ id: main.outputs.id, endTime: expect.any(String) }])
})

test('a dry run names the key', async () => {
  const run = await runAction({ ...inputsOf({ url: 'http://127.0.0.1:1' }), dryRun: 'true' })
  expect(run.log.join()).toContain('/v2/annotations for the key "octo/shop 7001" with')
})

test.each([
  [{ key: 'ä' }, 'input "key" is "ä": a key has 1 to 128 visible ASCII characters'],
  [{ key: 'k', id: 'ann_1', title: 'x' }, 'input "key" is "k" and "id" is given too'],
  [{ typeOnFailure: 'Failed Deploy' }, 'input "typeOnFailure" is "Failed Deploy": a type has lower-case letters'],
])('inputs that contradict the rules are named: %j', async (wrong, message) => {
  const run = await runAction({ ...inputsOf({ url: 'http://127.0.0.1:1' }), ...wrong })
  expect(run).toMatchObject({ exitCode: 1, errors: [expect.stringContaining(message)] })
})
