/**
 * The endpoints of monitors on the real service: what is answered, and what is refused.
 */
import { createClient } from '@deployment-annotations/client'
import type { ErrorBody } from '@deployment-annotations/contract/error-body'
import type { Monitor } from '@deployment-annotations/contract/monitor'
import { expect, test } from '@jest/globals'
import { serviceWithEvents } from '../../../../__tests__/support/for-tests.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { readCases } from '../cases.ts'
import { ask, MONITOR } from '../http.ts'
import { startReceiver } from '../notifiers/receiver.ts'
import { ingest } from '../query/ask.ts'

const { defaults, unset } = readCases<{ defaults: object; unset: object }>(import.meta.url)

const service = serviceWithEvents({ web: [{ status: 200, path: '/' }] })

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
    ...defaults,
    datasets: ['web'],
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
  const { body } = await create({ disabled: true, ...unset })
  expect(body).toMatchObject({ annotationType: 'monitor', datasets: ['web'], createdBy: 'tok_operator' })
  expect(body.id).not.toBe('mon_mine')
  const after = await change(body.id, { description: '', annotationTitle: '', name: null })
  expect(Object.keys(after.body).sort()).toEqual(
    Object.keys(body)
      .filter((member) => member !== 'description' && member !== 'annotationTitle')
      .sort(),
  )
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

test('the client does not send a create again whose fate is not known', async () => {
  await using faulty = await startReceiver((_, response) => void response.writeHead(502).end())
  await using client = createClient({ token: 'x', baseUrl: faulty.url })
  await expect(client.monitors.create(VALID)).rejects.toMatchObject({ code: 'server', mayHaveTakenEffect: true, attempts: 1 })
  expect(faulty.received).toMatchObject([{ method: 'POST', path: '/v2/monitors' }])
})

test('the real service runs one at once, closes its span when it is deleted, and stops with runs under way', async () => {
  await using real = await startService()
  await ingest(real, 'web', [{ status: 500 }])
  const { body } = await ask<Monitor>(real, 'POST', PATH, { body: VALID })
  const annotations = async () => (await ask<{ id: string; endTime?: string }[]>(real, 'GET', '/v2/annotations')).body
  while ((await annotations()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  await ask(real, 'DELETE', `${PATH}/${body.id}`)
  expect(await annotations()).toMatchObject([{ endTime: expect.any(String) }])
  for (let n = 0; n < 20; n++) await ask(real, 'POST', PATH, { body: { ...VALID, name: `n ${n}` } })
  expect(await real.stop()).toEqual({ exitCode: 0, signal: null })
})
