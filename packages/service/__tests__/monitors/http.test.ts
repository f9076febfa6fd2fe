/**
 * The endpoints of monitors on the real service: what is answered, and what is refused.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, InvalidRequestError, NotFoundError } from '@deployment-annotations/client'
import type { ErrorBody } from '@deployment-annotations/contract/schemas/error-body'
import type { Monitor } from '@deployment-annotations/contract/schemas/monitor'
import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { someAtATime } from '../../../../__tests__/support/some-at-a-time.ts'
import { ask, MONITOR } from '../http.ts'
import { ingest } from '../query/ask.ts'

const service = serviceForTests()
beforeAll(async () => {
  await ingest(service, 'web', [{ status: 200, path: '/' }])
})

const PATH = '/v2/monitors'
const VALID = { ...MONITOR, aplQuery: "['web'] | where status >= 500 | summarize count()", rangeMinutes: 5 } as const
const create = (members: object = {}) => ask<Monitor & ErrorBody>(service, 'POST', PATH, { body: { ...VALID, ...members } })
const change = (id: string, members: unknown) => ask<Monitor & ErrorBody>(service, 'PUT', `${PATH}/${id}`, { body: members })

test('a monitor is created with defaults, listed, changed and deleted', async () => {
  const { status, body } = await create({ disabled: true })
  expect(status).toBe(201)
  expect(body).toEqual({
    ...VALID,
    id: expect.stringMatching(/^mon_[0-9a-z]{26}$/),
    type: 'Threshold',
    alertOnNoData: false,
    secondDelay: 0,
    notifyByGroup: false,
    notifyEveryRun: false,
    resolvable: false,
    skipResolved: false,
    triggerFromNRuns: 1,
    triggerAfterNPositiveResults: 0,
    notifierIds: [],
    datasets: ['web'],
    annotationType: 'monitor',
    disabled: true,
    createdAt: expect.stringMatching(/^2\d{3}-.*Z$/),
    createdBy: 'tok_operator',
    state: { status: 'disabled', since: body.createdAt },
  })
  expect(await ask(service, 'GET', `${PATH}/${body.id}`)).toMatchObject({ status: 200, body })
  const other = (await create({ name: 'other', disabled: true })).body
  expect((await ask(service, 'GET', PATH)).body).toEqual([body, other])

  const changed = await change(body.id, { name: 'renamed', description: 'd', threshold: -1.5, datasets: [' api ', 'api'] })
  expect(changed).toMatchObject({ status: 200, body: { name: 'renamed', description: 'd', threshold: -1.5, datasets: ['api'] } })
  expect((await change(body.id, {})).body).toEqual(changed.body)
  for (const { id } of [body, other]) {
    const deleted = await ask(service, 'DELETE', `${PATH}/${id}`)
    expect([deleted.status, deleted.body]).toEqual([204, ''])
  }
  expect((await ask(service, 'GET', PATH)).body).toEqual([])
})

test('null counts as not sent, an empty text unsets, and what the service sets is not taken from anybody', async () => {
  const { body } = await create({
    disabled: true,
    description: 'd',
    annotationTitle: 'Errors',
    annotationType: null,
    alertOnNoData: null,
    datasets: null,
    type: 'Threshold',
    notifierIds: [],
    id: 'mon_mine',
    createdBy: 'me',
    state: {},
  })
  expect(body).toMatchObject({ annotationType: 'monitor', datasets: ['web'], createdBy: 'tok_operator' })
  expect(body.id).not.toBe('mon_mine')
  const unset = await change(body.id, { description: '', annotationTitle: '', name: null })
  expect(Object.keys(unset.body).sort()).toEqual(
    Object.keys(body)
      .filter((member) => member !== 'description' && member !== 'annotationTitle')
      .sort(),
  )
  await ask(service, 'DELETE', `${PATH}/${body.id}`)
})

test.each<[string, object, number, string]>([
  ['no name', { name: undefined }, 602, 'name is required'],
  ['an empty name', { name: '' }, 604, 'name must have at least 1 character, got ""'],
  ['a long name', { name: '🚀'.repeat(257) }, 603, 'name must have at most 256 characters'],
  ['half a surrogate pair', { name: 'a\ud800' }, 605, 'name must be well-formed Unicode'],
  ['a long query', { aplQuery: 'x'.repeat(8_193) }, 603, 'aplQuery must have at most 8192 characters'],
  [
    'another operator',
    { operator: 'above' },
    606,
    'operator must be one of Above, AboveOrEqual, Below, BelowOrEqual, got "above"',
  ],
  ['another type', { type: 'Match' }, 606, 'type must be one of Threshold, MatchEvent, got "Match"'],
  ['anomalies', { type: 'AnomalyDetection' }, 606, 'A Threshold monitor can compare with the past in its query'],
  [
    'their members',
    { tolerance: 5 },
    606,
    'tolerance is not supported, got 5 (number): it is a member of the type AnomalyDetection',
  ],
  ['a notifier', { notifierIds: ['a'] }, 606, 'notifierIds: there is no notifier "a"'],
  ['a notifier as the Go client writes it', { notifierIDs: ['a'] }, 606, 'notifierIds: there is no notifier "a"'],
  ['a query of metrics', { mplQuery: 'x:y' }, 606, 'there are no metrics to query; send aplQuery'],
  ['a member that is none', { colour: 'red' }, 606, 'the body has a member "colour" that is not supported'],
  ['a day without end', { disabledUntil: 'soon' }, 605, 'disabledUntil must be'],
  ['a longer delay', { secondDelay: 86_401 }, 608, 'secondDelay must be at most 86400'],
  ['more runs', { triggerFromNRuns: 101 }, 608, 'triggerFromNRuns must be at most 100'],
  ['what no match has', { type: 'MatchEvent', notifyByGroup: true }, 606, 'notifyByGroup is not supported with type MatchEvent'],
  ['a threshold in words', { threshold: '1' }, 601, 'threshold must be a number, got "1"'],
  ['no interval', { intervalMinutes: 0 }, 609, 'intervalMinutes must be at least 1, got 0'],
  ['part of a minute', { rangeMinutes: 1.5 }, 601, 'rangeMinutes must be an integer, got 1.5'],
  ['more than a year', { rangeMinutes: 525_601 }, 608, 'rangeMinutes must be at most 525600, got 525601'],
  ['no datasets', { datasets: [] }, 612, 'datasets must have at least 1 item'],
  ['a name that is none', { datasets: ['a/b'] }, 605, 'datasets[0] must match ^[A-Za-z0-9-]*$, got "a/b"'],
  ['a query of no dataset', { aplQuery: 'print x = 1' }, 602, 'datasets is required'],
  ['an annotation type that is none', { annotationType: 'A b' }, 605, 'annotationType must match ^[a-z0-9-]+$, got "A b"'],
])('%s is refused, on create and on change', async (_, members, code, message) => {
  expect(await create(members)).toMatchObject({ status: 422, body: { code, message: expect.stringContaining(message) } })
  if ('name' in members && members.name === undefined) return
  if (message === 'datasets is required') return
  const { body } = await create({ disabled: true })
  // With a type it replaces the whole monitor.
  const changed = 'type' in members ? { ...body, ...members } : members
  expect(await change(body.id, changed)).toMatchObject({ status: 422, body: { code, message: expect.stringContaining(message) } })
  expect((await ask(service, 'GET', `${PATH}/${body.id}`)).body).toEqual(body)
  await ask(service, 'DELETE', `${PATH}/${body.id}`)
})

test.each([
  ['syntax', "['web'] | where (", 'syntax', 'syntax error at line 1'],
  [
    'a function',
    "['web'] | extend x = frob(status)",
    'unknown_name',
    "function 'frob' not found\n['web'] | extend x = frob(status)\n",
  ],
  ['a function over data to come', "['later'] | extend x = frob(y)", 'unknown_name', "function 'frob' not found"],
  ['an operator', "['web'] | frob", 'unknown_name', 'operator "frob" not found'],
  [
    'no numbers',
    "['web'] | distinct path",
    'type_mismatch',
    'no column of numbers to compare with the threshold, only path (string)',
  ],
  [
    'no numbers but those it groups by',
    "['web'] | summarize max(path) by status",
    'type_mismatch',
    'only status (integer), max_path (string)',
  ],
])('a query that can never run is refused with its place: %s', async (_, aplQuery, errorType, message) => {
  const refusal = { status: 400, body: { code: 400, message: expect.stringContaining(message), detail: { errorType } } }
  expect(await create({ aplQuery })).toMatchObject(refusal)
  const { body } = await create({ disabled: true })
  expect(await change(body.id, { aplQuery })).toMatchObject(refusal)
  await ask(service, 'DELETE', `${PATH}/${body.id}`)
})

test('a query may be ahead of its data', async () => {
  for (const aplQuery of [
    "['later'] | where a.b > 1 | summarize avg(took) by host",
    "['web'] | summarize max(new)",
    'later | union web',
  ]) {
    const { status, body } = await create({ aplQuery, disabled: true })
    expect([aplQuery, status]).toEqual([aplQuery, 201])
    await ask(service, 'DELETE', `${PATH}/${body.id}`)
  }
})

test('unknown and malformed ids, bodies that are none', async () => {
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const question = method === 'PUT' ? { body: {} } : {}
    expect(await ask(service, method, `${PATH}/mon_1`, question)).toMatchObject({
      status: 404,
      body: { code: 404, message: 'monitor mon_1 not found' },
    })
    expect((await ask(service, method, `${PATH}/ann_1`, question)).status).toBe(400)
  }
  expect((await ask(service, 'POST', PATH, { body: '[]' })).status).toBe(422)
  expect((await ask(service, 'POST', PATH, { body: '{' })).status).toBe(400)
  expect((await ask(service, 'POST', PATH)).status).toBe(422)
  expect((await ask(service, 'PATCH', PATH)).status).toBe(405)
})

test('a thousand monitors are the most', async () => {
  const all = await someAtATime(1_001, () => create({ disabled: true }))
  const refused = all.filter(({ status }) => status !== 201)
  expect(refused).toMatchObject([{ status: 422, body: { code: 611, message: expect.stringContaining('at most 1000 monitors') } }])
  const ids = (await ask<Monitor[]>(service, 'GET', PATH)).body.map(({ id }) => id)
  expect(ids).toHaveLength(1_000)
  await someAtATime(ids.length, (at) => ask(service, 'DELETE', `${PATH}/${ids[at]}`))
})

test('the client speaks to them', async () => {
  await using client = createClient({ token: service.token, baseUrl: service.url })
  const made = await client.monitors.create({ ...VALID, disabled: true })
  expect(await client.monitors.list()).toEqual([made])
  expect(await client.monitors.change(made.id, { threshold: 7 })).toEqual({ ...made, threshold: 7 })
  expect(await client.monitors.get(made.id)).toMatchObject({ threshold: 7, state: { status: 'disabled' } })
  await client.monitors.delete(made.id)
  await expect(client.monitors.get(made.id)).rejects.toThrow(NotFoundError)
  await expect(client.monitors.create({ ...VALID, threshold: Number.NaN })).rejects.toThrow(InvalidRequestError)
})

test('the client does not send a create again whose fate is not known', async () => {
  const sent: string[] = []
  const faulty = createServer((request, response) => {
    sent.push(`${request.method} ${request.url}`)
    response.writeHead(502).end()
  }).listen(0, '127.0.0.1')
  await once(faulty, 'listening')
  await using client = createClient({ token: 'x', baseUrl: `http://127.0.0.1:${(faulty.address() as AddressInfo).port}` })
  await expect(client.monitors.create(VALID)).rejects.toMatchObject({ code: 'server', mayHaveTakenEffect: true, attempts: 1 })
  expect(sent).toEqual(['POST /v2/monitors'])
  faulty.close()
})

test('the real service runs one at once, closes its span when it is deleted, and stops with runs under way', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'monitors-http-'))
  await using real = await startService({ dataDir })
  await ingest(real, 'web', [{ status: 500 }])
  const { body } = await ask<Monitor>(real, 'POST', PATH, { body: VALID })
  const annotations = async () => (await ask<{ id: string; endTime?: string }[]>(real, 'GET', '/v2/annotations')).body
  while ((await annotations()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  await ask(real, 'DELETE', `${PATH}/${body.id}`)
  expect(await annotations()).toMatchObject([{ endTime: expect.any(String) }])
  for (let n = 0; n < 20; n++) await ask(real, 'POST', PATH, { body: { ...VALID, name: `n ${n}` } })
  expect(await real.stop()).toEqual({ exitCode: 0, signal: null })
  rmSync(dataDir, { recursive: true, force: true })
})
