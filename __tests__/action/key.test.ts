/** One annotation for a key, on our service, and on one that knows no keys, as the hosted one. */
import { type Annotation, createClient } from '@deployment-annotations/client'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../support/for-tests.ts'
import { runAction, runPost } from '../support/run-action.ts'
import { startScriptedService } from '../support/scripted-service.ts'

const ours = serviceForTests()

/** A dataset and a key for each test, because the tests have our service in common. */
let tests = 0
const inputsOf = ({ url, token = 'xaat-1' }: { url: string; token?: string }) => {
  const n = ++tests
  return { token, baseUrl: url, datasets: `web-${n}`, type: 'deploy', key: `octo/shop ${n}` }
}

/** What a person finds on the charts of a test. */
async function marksOf({ token, baseUrl, datasets }: ReturnType<typeof inputsOf>): Promise<Annotation[]> {
  await using client = createClient({ token, baseUrl })
  return await client.annotations.list({ datasets: [datasets] })
}

const places = [
  ['our service', async () => ({ url: ours.url, token: ours.token, [Symbol.asyncDispose]: async () => undefined })],
  ['a service that knows no keys', async () => await startScriptedService()],
] as const

test.concurrent.each(places)(
  'on %s a matrix of three makes one mark, and the run that is repeated changes it',
  async (_, start) => {
    await using service = await start()
    const inputs = inputsOf(service)
    const jobs = await Promise.all(['eu', 'us', 'asia'].map((region) => runAction({ ...inputs, title: `Shop to ${region}` })))
    expect(jobs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
    expect(jobs.filter(({ outputs }) => outputs.outcome === 'created')).toHaveLength(1)
    const again = await runAction({ ...inputs, title: 'Shop, second attempt' })
    expect(again).toMatchObject({ exitCode: 0, outputs: { outcome: 'changed' } })
    expect(again.log.join()).toContain('Changed the annotation deploy "Shop, second attempt" on web-')
    expect(await marksOf(inputs)).toEqual([JSON.parse(again.outputs.annotation ?? '')])
  },
)

test.concurrent.each(places)(
  'on %s jobs that run one after the other make one truth: failure sticks, and each line stays',
  async (_, start) => {
    await using service = await start()
    const inputs = {
      ...inputsOf(service),
      endTime: 'job-end',
      typeOnFailure: 'failed-deploy',
      title: 'Shop',
      description: 'Shop **v2**',
    }
    const marks: Annotation[] = []
    const jobs = [
      { status: 'failure', result: 'failure', datasets: ', api' },
      { status: 'success', result: 'success', datasets: '' },
      { status: 'cancelled', result: 'canceled', datasets: ', db' },
    ]
    for (const { status, result, datasets } of jobs) {
      const job = { ...inputs, datasets: `${inputs.datasets}${datasets}`, url: `https://ci/${status}` }
      const main = await runAction(job)
      const post = await runPost(main, job, { job: { status } })
      expect(post).toMatchObject({ exitCode: 0, warnings: [], errors: [] })
      expect(post.log.join()).toMatch(new RegExp(`Closed the release span \\w+: ${result} after`))
      marks.push(JSON.parse(main.outputs.annotation ?? ''))
    }
    expect(new Set(marks.map(({ id }) => id)).size).toBe(1)
    const [span, ...others] = await marksOf(inputs)
    expect(others).toEqual([])
    expect(span).toMatchObject({ type: 'failed-deploy', url: 'https://ci/failure', datasets: ['api', 'db', inputs.datasets] })
    expect(span?.description).toMatch(
      /^Shop \*\*v2\*\*\n\nfailure after \d+ s\n\nsuccess after \d+ s\n\ncanceled after \d+ s(\n\n\[\/\/\]: # \(key: octo%2Fshop%20\d+ 7001 2 failed\))?$/,
    )
    expect([span?.time, (span?.endTime ?? '') > (marks[2]?.time ?? '')]).toEqual([marks[0]?.time, true])
  },
)

test.concurrent.each(places)('on %s another attempt of the run begins afresh', async (_, start) => {
  await using service = await start()
  const inputs = { ...inputsOf(service), endTime: 'job-end', typeOnFailure: 'failed-deploy' }
  const first = await runAction(inputs, { env: { GITHUB_RUN_ATTEMPT: '1' } })
  await runPost(first, inputs, { job: { status: 'failure' }, env: { GITHUB_RUN_ATTEMPT: '1' } })
  const second = await runAction(inputs)
  await runPost(second, inputs, { job: { status: 'success' } })
  const marks = await marksOf(inputs)
  expect(marks).toMatchObject([{ type: 'deploy', description: expect.stringMatching(/^success after \d+ s(\n\n\[.*)?$/) }])
  expect(marks[0]?.time).toBe(JSON.parse(second.outputs.annotation ?? '').time)
})

test.concurrent.each(places)('on %s the failed job of a matrix that runs again keeps what the others said', async (_, start) => {
  await using service = await start()
  const inputs = { ...inputsOf(service), endTime: 'job-end', typeOnFailure: 'failed-deploy' }
  const marks: Annotation[] = []
  const deploy = async (region: string, attempt: string, status: string) => {
    const given = { ...inputs, datasets: `${inputs.datasets}, web-${region}` }
    const env = { GITHUB_JOB: 'deploy', GITHUB_ACTION: '__deployment-annotations', GITHUB_RUN_ATTEMPT: attempt }
    const main = await runAction(given, { env, job: { matrix: { region } } })
    await runPost(main, given, { env, job: { status } })
    marks.push(JSON.parse(main.outputs.annotation ?? ''))
  }
  await deploy('eu', '1', 'success')
  await deploy('ap', '1', 'failure')
  await deploy('ap', '2', 'cancelled')
  const [span, ...others] = await marksOf(inputs)
  expect([span, others]).toMatchObject([
    { type: 'deploy', time: marks[0]?.time, datasets: ['web-ap', 'web-eu', inputs.datasets].sort() },
    [],
  ])
  expect(span?.description?.match(/\w+(?= after)/g)).toEqual(['success', 'canceled'])
})

test.concurrent.each(places)('on %s jobs at the same moment agree', async (_, start) => {
  await using service = await start()
  const inputs = { ...inputsOf(service), endTime: 'job-end', typeOnFailure: 'failed-deploy' }
  const statuses = ['success', 'failure', 'cancelled']
  const mains = await Promise.all(statuses.map(() => runAction(inputs)))
  await Promise.all(mains.map((main, n) => runPost(main, inputs, { job: { status: statuses[n] ?? '' } })))
  const [span, ...others] = await marksOf(inputs)
  expect([others, span?.type]).toEqual([[], 'failed-deploy'])
  for (const result of ['success', 'failure', 'canceled']) expect(span?.description).toContain(`${result} after`)
})

test.concurrent('the main step of a keyed annotation that was killed is found by its key', async () => {
  const inputs = { ...inputsOf(ours), endTime: 'job-end' }
  const main = await runAction(inputs)
  const { id: _, ...state } = main.state
  await runPost({ ...main, state }, inputs, { job: { status: 'success' } })
  expect(await marksOf(inputs)).toMatchObject([{ id: main.outputs.id, endTime: expect.any(String) }])
})

test('a dry run names the key', async () => {
  const inputs = inputsOf({ url: 'http://127.0.0.1:1' })
  const run = await runAction({ ...inputs, dryRun: 'true' })
  expect(run.log.join()).toContain(`/v2/annotations for the key "${inputs.key}" with`)
})

test.each([
  [{ key: 'k', id: 'ann_1', title: 'x' }, 'input "key" is "k" and "id" is given too'],
  [{ typeOnFailure: '!' }, 'input "typeOnFailure" is "!": a type has lower-case letters'],
])('inputs that contradict the rules are named: %j', async (wrong, message) => {
  const run = await runAction({ ...inputsOf({ url: 'http://127.0.0.1:1' }), ...wrong })
  expect(run).toMatchObject({ exitCode: 1, errors: [expect.stringContaining(message)] })
})
