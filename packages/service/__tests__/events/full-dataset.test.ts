/**
 * A dataset that has as many fields as it may: every event is taken, and its members are found by their names, in answers and in exports.
 */
import { expect, test } from '@jest/globals'
import { folderForTests, serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { runServiceCommand, startService } from '../../../../__tests__/support/service.ts'
import { ask } from '../http.ts'
import { apl, ingest } from '../query/ask.ts'

const FIELDS_MAX = 20
const FEW = ['--fields-max', String(FIELDS_MAX)]
const service = serviceForTests({ args: FEW })
const folder = folderForTests('full-export')
type Target = Pick<typeof service, 'url' | 'token'>

const byUser = (number: number) => ({
  n: number,
  user: { [`id${number}.x`]: { n: number, name: `user ${number}`, tags: [number, 'a', { 'k.k': 1 }] } },
})

async function fieldsOf(target: Target, dataset: string): Promise<string[]> {
  const { body } = await ask<{ name: string }[]>(target, 'GET', `/v2/datasets/${dataset}/fields`)
  return body.map(({ name }) => name).filter((name) => !name.startsWith('_'))
}

async function rowsOf(target: Target, query: string): Promise<unknown[]> {
  const { body } = await apl(target, query)
  return body.matches?.map(({ data }) => data) ?? body
}

test.each([
  ['small', 40, 1],
  ['large', 2_000, 2_000],
])('every event is taken whole, in %s requests', async (dataset, count, atOnce) => {
  const events = Array.from({ length: count }, (_, number) => byUser(number))
  for (let at = 0; at < count; at += atOnce) {
    const { body } = await ask(service, 'POST', `/v1/datasets/${dataset}/ingest`, { body: events.slice(at, at + atOnce) })
    expect(body).toMatchObject({ ingested: atOnce, failed: 0 })
  }
  expect(await fieldsOf(service, dataset)).toHaveLength(FIELDS_MAX)
  expect(await rowsOf(service, `['${dataset}'] | where n >= 30 and n < 35 | sort by n asc`)).toEqual(
    events.slice(30, 35).map((event) => JSON.parse(JSON.stringify(event)) as unknown),
  )
})

test('a query names a member that is no field by its own path', async () => {
  const name = String.raw`user.id30\\.x`
  const found = [byUser(30)]
  expect(await rowsOf(service, `large | where ['user']['id30.x']['n'] == 30`)).toEqual(found)
  expect(await rowsOf(service, `large | where ['${name}.name'] == 'user 30'`)).toEqual(found)
  expect(await rowsOf(service, `large | search 'user 30' | where n < 100`)).toEqual(found)
  expect(await rowsOf(service, `large | where * == 'user 30'`)).toEqual(found)
  expect(await rowsOf(service, `large | where n == 30 | extend more = 1`)).toEqual([{ ...found[0], more: 1 }])
  expect(await rowsOf(service, `large | where n == 30 | project t = ['${name}.tags'], m = ['${name}.n'] + 1`)).toEqual([
    { t: byUser(30).user['id30.x']?.tags, m: 31 },
  ])
  const { user } = byUser(30)
  const { n: _n, ...others } = user['id30.x'] as { n: number }
  expect(await rowsOf(service, `large | where n == 30 | project-away ['${name}.n']`)).toEqual([
    { n: 30, user: { 'id30.x': others } },
  ])
  const { body } = await apl(service, `large | where ['user.nobody'] == 1`)
  expect(body.status.messages.map(({ code }) => code)).toEqual(expect.arrayContaining(['unknown_field', 'many_fields']))
})

test('fields that no event has any more are free again after a trim', async () => {
  const dataset = 'trimmed'
  await ingest(service, dataset, [{ _time: '2020-01-01T00:00:00Z', ...byUser(1) }, ...[2, 3, 4, 5, 6, 7, 8].map(byUser)])
  expect(await fieldsOf(service, dataset)).toContain('user.id1\\.x.n')
  const { status } = await ask(service, 'POST', `/v2/datasets/${dataset}/trim`, { body: { maxDuration: '30d' } })
  expect([200, 204]).toContain(status)
  expect(await rowsOf(service, `${dataset} | project n | sort by n asc`)).toHaveLength(7)
  const left = await fieldsOf(service, dataset)
  expect(left).not.toContain('user.id1\\.x.n')
  expect(left).toContain('user.id2\\.x.n')
  await ingest(service, dataset, [{ later: 'x' }, { user: { 'id7.x': { n: 70 } } }])
  expect(await fieldsOf(service, dataset)).toContain('later')
  expect(await rowsOf(service, `${dataset} | where later == 'x'`)).toEqual([{ later: 'x' }])
  expect(await rowsOf(service, `${dataset} | where user['id7.x'].n > 0 | project n = user['id7.x'].n | sort by n asc`)).toEqual([
    { n: 7 },
    { n: 70 },
  ])
})

test('a vacuum removes the fields that no event has', async () => {
  await ingest(service, 'emptied', [{ _time: '2020-01-01T00:00:00Z', old: 1 }, { kept: 1 }])
  await ask(service, 'POST', '/v2/datasets/emptied/trim', { body: { maxDuration: '30d' } })
  expect(await fieldsOf(service, 'emptied')).toEqual(['kept', 'old'])
  expect(await ask(service, 'POST', '/v2/datasets/emptied/vacuum')).toMatchObject({ status: 200, body: {} })
  expect(await fieldsOf(service, 'emptied')).toEqual(['kept'])
  expect((await ask(service, 'POST', '/v2/datasets/absent/vacuum')).status).toBe(404)
})

test('a map field frees what is below it, and what was sent before it is found as what comes after', async () => {
  const dataset = 'mapped'
  await ingest(service, dataset, [1, 2, 3, 4, 5, 6, 7, 8, 9].map(byUser))
  expect(await fieldsOf(service, dataset)).toHaveLength(FIELDS_MAX)
  expect((await ask(service, 'POST', `/v2/datasets/${dataset}/mapfields`, { body: { name: 'user' } })).status).toBe(200)
  await ingest(service, dataset, [byUser(10), { new: true }])
  expect(await fieldsOf(service, dataset)).toEqual(['n', 'new', 'user'])
  for (const number of [1, 10]) {
    expect(await rowsOf(service, `${dataset} | where user['id${number}.x'].n == ${number}`)).toEqual([byUser(number)])
  }
})

test('a dataset that fills up is told of in the log, in health and in answers', async () => {
  await using own = await startService({ args: FEW })
  await ingest(own, 'calm', [Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`f${at}`, at]))])
  const { body: before } = await ask<{ status: string }>(own, 'GET', '/healthz')
  expect(before.status).toBe('ok')
  await ingest(own, 'crowded', [Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`f${at}`, at]))])
  const { body } = await ask<{ status: string; parts: object[] }>(own, 'GET', '/healthz')
  expect(body).toMatchObject({
    status: 'degraded',
    parts: expect.arrayContaining([{ name: 'fields', status: 'degraded', message: expect.stringContaining('a dataset has') }]),
  })
  const { body: answer } = await apl(own, 'crowded | count')
  expect(answer.status.messages).toEqual([
    expect.objectContaining({ code: 'many_fields', msg: expect.stringContaining('"crowded" has 16 of the 20 fields') }),
  ])
  expect((await apl(own, 'calm | count')).body.status.messages).toEqual([])
})

test('what is beside the events is in an export', async () => {
  {
    await using from = await startService({ args: FEW, dataDir: `${folder}/from` })
    await ingest(
      from,
      'moved',
      Array.from({ length: 100 }, (_, number) => byUser(number)),
    )
  }
  await runServiceCommand(['export', '--data', `${folder}/from`, '--to', `${folder}/export`])
  await runServiceCommand(['import', '--data', `${folder}/to`, '--from', `${folder}/export`])
  await using there = await startService({ args: FEW, dataDir: `${folder}/to` })
  expect(await rowsOf(there, "moved | where ['user.id77\\\\.x.name'] == 'user 77'")).toEqual([byUser(77)])
})

test('keys with percent signs and dots stay as they were sent, among fields and beside them', async () => {
  const event = { 'a%2Eb': 1, 'c.d': { 'e%25.f': [{ 'g%2E.h': 2 }] } }
  await ingest(service, 'percent', [event, Object.fromEntries(Array.from({ length: FIELDS_MAX }, (_, at) => [`f${at}`, at]))])
  await ingest(service, 'percent-beside', [
    Object.fromEntries(Array.from({ length: FIELDS_MAX }, (_, at) => [`f${at}`, at])),
    event,
  ])
  for (const dataset of ['percent', 'percent-beside']) {
    expect(await rowsOf(service, `['${dataset}'] | where isnull(f1)`)).toEqual([event])
    expect(await rowsOf(service, `['${dataset}'] | where isnull(f1) | extend more = 1`)).toEqual([{ ...event, more: 1 }])
  }
})
