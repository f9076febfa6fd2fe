/**
 * One annotation for a key. The scripted service knows no keys, as the hosted one: there the rule is kept by looking.
 */
import { expect, test } from '@jest/globals'
import { ofEachTest, serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { startScriptedService } from '../../../__tests__/support/scripted-service.ts'
import { createClient } from '../src/index.ts'

const DEPLOY = { datasets: ['web'], type: 'deploy' }
const connect = ({ url, token = 'xaat-1' }: { url: string; token?: string }) =>
  createClient({ baseUrl: url, token, timeoutMs: 10_000 })

const ours = serviceForTests()
/** One for each test; those with a script of their own start another. */
const service = ofEachTest(startScriptedService)
const client = ofEachTest(async () => connect(service))

test('our service is asked for one request that looks and one that writes, and keeps the key to itself', async () => {
  await using client = connect(ours)
  const first = await client.annotations.put('run-7', { ...DEPLOY, title: 'try 1' })
  const second = await client.annotations.put('run-7', { ...DEPLOY, title: 'try 2' })
  expect([first.isNew, second.isNew]).toEqual([true, false])
  expect(second.annotation).toEqual({ ...first.annotation, time: second.annotation.time, title: 'try 2' })
  expect(await client.annotations.list()).toEqual([second.annotation])
})

test('where keys are not known, a second put changes the first annotation', async () => {
  await client.annotations.put('run 7', { ...DEPLOY, title: 'try 1', description: 'Now with charts' })
  const { annotation, isNew } = await client.annotations.put('run 7', { ...DEPLOY, title: 'try 2', description: 'Again' })
  expect(isNew).toBe(false)
  expect(service.stored).toEqual([annotation])
  expect(annotation).toMatchObject({ id: 'ann_1', title: 'try 2', description: 'Again\n\n[//]: # (key: run%207)' })
})

test('another key, or none, is another annotation', async () => {
  await client.annotations.create({ ...DEPLOY, description: 'run' })
  for (const key of ['run', 'run-7', 'run-70', '(run)']) await client.annotations.put(key, DEPLOY)
  expect(service.stored).toHaveLength(5)
})

test('where keys are not known, two that looked before either created agree on one', async () => {
  await using service = await startScriptedService({ GET: (count) => (count === 3 ? { status: 200, body: '[]' } : undefined) })
  await using client = connect(service)
  await client.annotations.put('race', { ...DEPLOY, title: 'one' })
  const { annotation, isNew } = await client.annotations.put('race', { ...DEPLOY, title: 'two' })
  expect([isNew, service.requests.map(({ method }) => method).join(' ')]).toEqual([false, 'GET POST GET GET POST GET PUT DELETE'])
  expect(service.stored).toEqual([annotation])
  expect(annotation).toMatchObject({ id: 'ann_1', title: 'two' })
})

test('a span that was closed is open again, as a new annotation where an end cannot be unset', async () => {
  const { annotation } = await client.annotations.put('span', DEPLOY)
  await client.annotations.change(annotation.id, { endTime: '2100-01-01T00:00:00Z' })
  const again = await client.annotations.put('span', DEPLOY)
  expect(again.isNew).toBe(false)
  expect(service.stored).toEqual([again.annotation])
  expect(again.annotation.endTime).toBeUndefined()
})

test('where keys are not known, only annotations of the datasets and of 35 days are looked through', async () => {
  await client.annotations.put('run-7', { ...DEPLOY, datasets: ['web', 'api'], time: '2026-03-01T00:00:00Z' })
  expect(service.requests.map(({ method, path }) => method + path)[0]).toBe(
    'GET/v2/annotations?start=2026-01-25T00%3A00%3A00Z&end=2026-03-02T00%3A00%3A00Z&datasets=web%2Capi',
  )
})

test('a list that is too long to look through is asked for once, and the caller is told', async () => {
  await using service = await startScriptedService({ GET: () => ({ status: 200, body: Buffer.alloc(17 << 20, 32) }) })
  await using client = connect(service)
  const warnings: (string | undefined)[] = []
  const { isNew } = await client.annotations.put('run-7', DEPLOY, { onHints: ({ warning }) => warnings.push(warning) })
  expect([isNew, service.requests.map(({ method }) => method)]).toEqual([true, ['GET', 'POST']])
  expect(warnings).toEqual([
    expect.stringMatching(/more than can be looked through, so whether there is another one with the key "run-7"/),
  ])
})

test('where keys are not known, a late word of an earlier attempt changes nothing', async () => {
  const job = (attempt: number, name: string) => ({ job: { run: '7', attempt, job: name } })
  await client.annotations.put('run 7', { ...DEPLOY, title: 'second' }, job(2, 'a'))
  const late = await client.annotations.put('run 7', { ...DEPLOY, title: 'first' }, job(1, 'b'))
  expect([late.isNew, late.annotation.title, service.stored.length]).toEqual([false, 'second', 1])
})

const ended = (name: string, attempt: number, result = 'success') => {
  const time = `2026-01-0${attempt}T00:00:00Z`
  const job = {
    run: '7',
    attempt,
    job: `${name}-${attempt}`,
    name,
    failed: result === 'failure',
    line: `${result} after ${attempt} s`,
  }
  const said = {
    type: job.failed ? 'failed-deploy' : 'deploy',
    datasets: [`web-${name}`, 'web'],
    title: name,
    time,
    endTime: time,
  }
  return [said, { job }] as const
}

test('where keys are not known, failed jobs that run again at once replace their lines, and keep those of the others', async () => {
  const put = (...[said, options]: ReturnType<typeof ended>) => client.annotations.put('run 7', said, options)
  for (const said of [ended('eu', 1), ended('us', 1, 'failure'), ended('ap', 1, 'failure')]) await put(...said)
  expect(service.stored).toMatchObject([{ type: 'failed-deploy' }])
  await Promise.all([put(...ended('us', 2)), put(...ended('ap', 2))])
  const [mark, ...others] = service.stored as { description?: string }[]
  expect([mark, others]).toMatchObject([
    {
      type: 'deploy',
      datasets: ['web', 'web-ap', 'web-eu', 'web-us'],
      time: '2026-01-01T00:00:00Z',
      endTime: '2026-01-02T00:00:00Z',
    },
    [],
  ])
  expect(mark?.description?.split('\n\n').sort()).toEqual([
    '[//]: # (key: run%207 7 2)',
    'success after 1 s [](#eu.1)',
    'success after 2 s [](#ap.2)',
    'success after 2 s [](#us.2)',
  ])
})

test('where keys are not known, the first of two failed jobs that runs again does not hide the failure of the other', async () => {
  for (const said of [ended('us', 1, 'failure'), ended('ap', 1, 'failure'), ended('us', 2)])
    await client.annotations.put('run 7', ...said)
  expect(service.stored).toMatchObject([{ type: 'failed-deploy', title: 'ap' }])
  await client.annotations.put('run 7', ...ended('ap', 2))
  expect(service.stored).toMatchObject([{ type: 'deploy', title: 'ap' }])
})

test('a lost answer does not double it', async () => {
  await using service = await startScriptedService({
    POST: (count) => (count === 1 ? { commit: true, status: 502, body: '' } : undefined),
  })
  await using client = connect(service)
  await client.annotations.put('lost', DEPLOY)
  await client.annotations.put('lost', DEPLOY)
  expect(service.stored).toHaveLength(1)
})

test('a token that may not list makes its annotation, and is told that nobody looked for another', async () => {
  await using service = await startScriptedService({ GET: () => ({ status: 403, body: '{"message":"no"}' }) })
  await using client = connect(service)
  const warnings: (string | undefined)[] = []
  const { isNew } = await client.annotations.put('blind', DEPLOY, { onHints: ({ warning }) => warnings.push(warning) })
  expect([isNew, warnings]).toEqual([
    true,
    ['the token may not list annotations, so whether there is another one with the key "blind" is not known'],
  ])
})

test('a long description makes room for the key', async () => {
  const { annotation } = await client.annotations.put('long', { ...DEPLOY, description: 'ä'.repeat(512) })
  expect([...(annotation.description ?? '')]).toHaveLength(512)
  expect(annotation.description).toMatch(/…\n\n\[\/\/\]: # \(key: long\)$/)
})

test.each(['', ' a', 'a ', 'ä', 'x'.repeat(129)])(
  'a key that no header can carry is refused before anything is sent: %j',
  async (key) => {
    await expect(client.annotations.put(key, DEPLOY)).rejects.toThrow('visible ASCII')
    expect(service.requests).toEqual([])
  },
)

test('what the service says besides reaches the caller', async () => {
  await using client = connect(ours)
  const hints: object[] = []
  const { id } = await client.annotations.create({ ...DEPLOY, datasets: ['absent'] }, { onHints: (said) => hints.push(said) })
  expect(hints).toEqual([
    {
      page: expect.stringMatching(`^${ours.url}/\\?datasets=absent&.*annotations=${id}$`),
      warning: 'the dataset "absent" does not exist yet',
    },
  ])
})

test.each([
  ['<javascript:alert(1)>; rel="alternate"; type="text/html"'],
  ['</next>; rel="next"'],
  ['<http://[>; rel="alternate"; type="text/html"'],
])('a link that is none of a page is not passed on: %s', async (link) => {
  await using service = await startScriptedService({
    POST: () => ({ commit: true, status: 201, headers: { link }, body: STORED }),
  })
  await using client = connect(service)
  const hints: object[] = []
  await client.annotations.create(DEPLOY, { onHints: (said) => hints.push(said) })
  expect(hints).toEqual([])
})

const STORED = JSON.stringify({ id: 'ann_1', time: '2026-01-01T00:00:00Z', ...DEPLOY })
