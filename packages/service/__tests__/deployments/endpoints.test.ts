/** Integrations over HTTP: made, listed, changed, given another secret and deleted, and what became of their webhooks. */
import type { Delivery, Integration, MadeIntegration } from '@deployment-annotations/contract/integration'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import {
  deliver,
  genericEvent,
  recordedPayloads,
  SECRET,
  signGeneric,
  signGitHub,
  signVercel,
  vercelEvent,
} from '../../../edge/__tests__/platforms/webhooks.ts'
import { ask } from '../http.ts'

const PATH = '/v2/integrations'

const service = serviceForTests()

const make = (body: object, token?: string) => ask<MadeIntegration & { message: string }>(service, 'POST', PATH, { body, token })
const list = async (token?: string) => (await ask<Integration[]>(service, 'GET', PATH, { token })).body
const deliveriesOf = async (id: string) => (await ask<Delivery[]>(service, 'GET', `${PATH}/${id}/deliveries`)).body
let count = 0
const event = (members = {}) => genericEvent('started', '2026-03-01T12:00:00Z', { deployment: `endpoint-${++count}`, ...members })

test('one that is made over HTTP takes webhooks from the next request on, and its secret is in no other answer', async () => {
  const { status, headers, body } = await make({ platform: 'generic', datasets: ['web'], name: null })
  expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
  const { secret = '', ...integration } = body
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(integration).toEqual({
    id: expect.stringMatching(/^int_/),
    ...{ platform: 'generic', name: 'generic', datasets: ['web'], type: 'deploy', environments: [], rules: [] },
    ...{ title: '{project} {environment} {version}', createdAt: expect.stringMatching(/Z$/) },
  })
  expect((await deliver(service, 'generic', signGeneric(event(), secret))).body.outcome).toBe('created')
  const answers = [await ask(service, 'GET', PATH), await ask(service, 'GET', `${PATH}/${body.id}`)]
  for (const answer of answers) expect(JSON.stringify(answer.body)).not.toContain(secret.slice(6))
  expect(service.stderr).not.toContain(secret.slice(6))
  await ask(service, 'DELETE', `${PATH}/${body.id}`)
})

test('settings change, and what is not sent stays; a deleted one is refused', async () => {
  const secret = 'the secret of a script that marks'
  const made = (await make({ platform: 'generic', datasets: ['web', 'web'], secret, environments: ['production'] })).body
  expect(made).not.toHaveProperty('secret')
  expect(made.datasets).toEqual(['web'])
  const one = `${PATH}/${made.id}`
  const changed = await ask<Integration>(service, 'PUT', one, { body: { title: '{version}', environments: [], name: 'Shop' } })
  expect(changed.body).toEqual({ ...made, title: '{version}', environments: [], name: 'Shop' })
  expect((await ask(service, 'GET', one)).body).toEqual(changed.body)
  const { body } = await deliver(service, 'generic', signGeneric(event({ environment: 'staging' }), secret))
  expect((await ask<{ title: string }>(service, 'GET', `/v2/annotations/${body.annotation}`)).body.title).toBe('v2.4.0')
  expect((await ask(service, 'DELETE', one)).status).toBe(204)
  expect((await deliver(service, 'generic', signGeneric(event(), secret))).status).toBe(401)
  for (const [method, path] of [
    ['GET', one],
    ['GET', `${one}/deliveries`],
    ['DELETE', one],
  ] as const) {
    expect(await ask(service, method, path)).toMatchObject({
      status: 404,
      body: { message: `integration "${made.id}" not found` },
    })
  }
})

test('another secret takes the place of the one that is there at once, one of Vercel’s is given', async () => {
  const { id, secret: before = '' } = (await make({ platform: 'generic', datasets: ['web'] })).body
  const again = await ask<MadeIntegration>(service, 'POST', `${PATH}/${id}/regenerate`, { body: {} })
  expect([again.status, again.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const { secret = '' } = again.body
  expect(secret).not.toBe(before)
  expect((await deliver(service, 'generic', signGeneric(event(), before))).status).toBe(401)
  expect((await deliver(service, 'generic', signGeneric(event(), secret))).status).toBe(200)
  const vercel = (await make({ platform: 'vercel', datasets: ['web'], secret: 'what Vercel showed once' })).body
  const lacking = await ask(service, 'POST', `${PATH}/${vercel.id}/regenerate`, { body: {} })
  expect(lacking).toMatchObject({ status: 422, body: { message: expect.stringContaining('vercel makes the secret itself') } })
  const given = await ask(service, 'POST', `${PATH}/${vercel.id}/regenerate`, { body: { secret: 'what Vercel showed later' } })
  expect([given.status, JSON.stringify(given.body).includes('what Vercel')]).toEqual([200, false])
  const webhook = vercelEvent('deployment.created', '2026-03-01T12:00:00Z', { id: 'dpl_given' })
  expect((await deliver(service, 'vercel', signVercel(webhook, 'what Vercel showed later'))).status).toBe(200)
  for (const one of [id, vercel.id]) await ask(service, 'DELETE', `${PATH}/${one}`)
})

test('the last deliveries say what became of each, and the list has the newest', async () => {
  const secret = 'the secret of what is delivered'
  const { id } = (await make({ platform: 'generic', datasets: ['web'], secret, environments: ['production'] })).body
  expect(await deliveriesOf(id)).toEqual([])
  const first = event()
  const { annotation } = (await deliver(service, 'generic', signGeneric(first, secret))).body
  await deliver(service, 'generic', signGeneric(first, secret))
  await deliver(service, 'generic', signGeneric(event({ environment: 'staging' }), secret))
  const wrong = await deliver(service, 'generic', signGeneric({ ...event(), status: 'begun' }, secret))
  // What no integration signed is no delivery of one.
  await deliver(service, 'generic', signGeneric(first, 'another secret of nobody here'))
  const time = expect.stringMatching(/^20.*Z$/)
  const expected = [
    { time, outcome: 'refused', reason: wrong.body.message },
    { time, outcome: 'ignored', deployment: `endpoint-${count - 1}`, reason: expect.stringContaining('environment') },
    { time, outcome: 'unchanged', deployment: first.deployment, annotation },
    { time, outcome: 'created', deployment: first.deployment, annotation },
  ]
  expect(await deliveriesOf(id)).toEqual(expected)
  expect((await list()).find((one) => one.id === id)?.lastDelivery).toEqual(expected[0])
  for (let n = 0; n < 20; n++) await deliver(service, 'generic', signGeneric(first, secret))
  const kept = await deliveriesOf(id)
  expect([kept.length, new Set(kept.map(({ outcome }) => outcome))]).toEqual([20, new Set(['unchanged'])])
  await ask(service, 'DELETE', `${PATH}/${id}`)
})

test('a ping and an event of another kind are deliveries, too', async () => {
  const { id } = (await make({ platform: 'github', datasets: ['web'], secret: SECRET })).body
  const [payload] = recordedPayloads('ping')
  await deliver(service, 'github', signGitHub(payload, 'ping'))
  expect(await deliveriesOf(id)).toEqual([{ time: expect.any(String), outcome: 'ignored', reason: expect.stringMatching(/./) }])
  await ask(service, 'DELETE', `${PATH}/${id}`)
})

test('two of a platform cannot share a secret', async () => {
  const secret = 'one secret for two of them'
  const first = (await make({ platform: 'netlify', datasets: ['web'], secret })).body
  const again = await make({ platform: 'netlify', datasets: ['web'], secret })
  expect([again.status, again.body.message]).toEqual([409, expect.stringContaining('has this secret already')])
  expect(again.body.message).not.toContain(secret)
  await ask(service, 'DELETE', `${PATH}/${first.id}`)
})
