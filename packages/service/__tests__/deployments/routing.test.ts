/**
 * Which integration a webhook is for, and where its deployments are marked: the address of one integration among many, and rules by
 * repository and environment.
 */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { Integration, MadeIntegration, WebhookResult } from '@deployment-annotations/contract/integration'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { TRIED_WITHOUT_ID_MAX } from '../../../contract/src/integration.ts'
import { genericEvent, signGeneric } from '../../../edge/__tests__/platforms/webhooks.ts'
import { ask, CRUD, tokenWith } from '../http.ts'

const service = serviceForTests()

const make = async (body: object, token = service.token) =>
  ask<MadeIntegration & { message: string }>(service, 'POST', '/v2/integrations', {
    token,
    body: { platform: 'generic', ...body },
  })

let count = 0
const signed = (secret: string, members: object = {}) =>
  signGeneric(genericEvent('started', '2026-03-01T12:00:00Z', { deployment: `routed-${++count}`, ...members }), secret)

async function deliverTo(path: string, { body, headers }: ReturnType<typeof signGeneric>) {
  const answer = await ask<WebhookResult & { message?: string }>(service, 'POST', `/v1/integrations/${path}`, {
    token: null,
    body,
    headers,
  })
  return { ...answer.body, status: answer.status }
}

test('more integrations than are tried without an id have each their address', async () => {
  const made: MadeIntegration[] = []
  for (let i = 0; i <= TRIED_WITHOUT_ID_MAX; i++) made.push((await make({ datasets: [`many-${i}`] })).body)
  const [first, last] = [made[0] as MadeIntegration, made.at(-1) as MadeIntegration]
  const secretOf = ({ secret = '' }: MadeIntegration) => secret
  expect(await deliverTo(`generic/${last.id}`, signed(secretOf(last)))).toMatchObject({ status: 200, outcome: 'created' })
  expect(await deliverTo(`generic/${first.id}`, signed(secretOf(first)))).toMatchObject({ status: 200, outcome: 'created' })
  expect(await deliverTo('generic', signed(secretOf(first)))).toMatchObject({ status: 200, outcome: 'created' })
  expect((await deliverTo('generic', signed(secretOf(last)))).status).toBe(401)
  // One that is there and one that is not are told apart by nobody who has no secret.
  const [wrong, absent] = [
    await deliverTo(`generic/${first.id}`, signed('x'.repeat(20))),
    await deliverTo('generic/int_none', signed('x'.repeat(20))),
  ]
  expect([wrong.status, wrong]).toEqual([401, absent])
  expect((await deliverTo(`github/${first.id}`, signed(secretOf(first)))).status).toBe(401)
  for (const { id } of made) await ask(service, 'DELETE', `/v2/integrations/${id}`)
})

test('the first rule that matches repository and environment says where a deployment is marked', async () => {
  const { id, secret = '' } = (
    await make({
      datasets: ['all'],
      environments: ['production'],
      rules: [
        { projects: ['acme/shop-*'], environments: ['Staging'], datasets: ['shop-staging'], type: 'staging-deploy' },
        { projects: ['acme/shop-*', 'acme/till'], datasets: ['shop', 'till'] },
        { projects: ['*.docs'], datasets: [] },
      ],
    })
  ).body
  const send = async (project: string, environment: string) => {
    const { annotation, reason } = await deliverTo(`generic/${id}`, signed(secret, { project, environment }))
    if (annotation === undefined) return reason
    const { datasets, type } = (await ask<Annotation>(service, 'GET', `/v2/annotations/${annotation}`)).body
    return [...datasets, type].join(' ')
  }
  expect(await send('Acme/Shop-Web', 'staging')).toBe('shop-staging staging-deploy')
  expect(await send('acme/shop-web', 'production')).toBe('shop till deploy')
  expect(await send('acme/till', 'production')).toBe('shop till deploy')
  expect(await send('acme/till', 'staging')).toMatch('deployments to this environment get no annotations')
  expect(await send('acme/till2', 'production')).toBe('all deploy')
  expect(await send('acmeXdocs', 'production')).toBe('all deploy')
  expect(await send('acme.docs', 'production')).toMatch('by a rule of the integration')
  expect(await send('other', 'preview')).toMatch('deployments to this environment get no annotations')
})

test('a deployment stays where it was marked first, also when the rules change meanwhile', async () => {
  const { id, secret = '' } = (await make({ datasets: ['before'] })).body
  const event = (status: string, time: string) => signGeneric(genericEvent(status, time, { deployment: 'stays' }), secret)
  const { annotation } = await deliverTo(`generic/${id}`, event('started', '2026-03-01T12:00:00Z'))
  const rules = [{ datasets: ['after'] }]
  expect((await ask<Integration>(service, 'PUT', `/v2/integrations/${id}`, { body: { rules } })).body.rules).toEqual(rules)
  expect(await deliverTo(`generic/${id}`, event('succeeded', '2026-03-01T12:01:00Z'))).toMatchObject({ outcome: 'changed' })
  const { body } = await ask<Annotation>(service, 'GET', `/v2/annotations/${annotation}`)
  expect([body.datasets, body.endTime]).toEqual([['before'], '2026-03-01T12:01:00Z'])
})

test('a pattern with many stars costs no more than its length', async () => {
  const { id, secret = '' } = (await make({ datasets: ['slow'], rules: [{ projects: [`${'*a'.repeat(120)}*b`], datasets: [] }] }))
    .body
  const fromMs = performance.now()
  expect(await deliverTo(`generic/${id}`, signed(secret, { project: 'a'.repeat(300) }))).toMatchObject({ outcome: 'created' })
  expect(performance.now() - fromMs).toBeLessThan(5_000)
})

test('a token that is limited to datasets makes and sees no rules for others', async () => {
  const token = await tokenWith(service, {
    datasetCapabilities: { mine: { query: ['read'] } },
    orgCapabilities: { integrations: CRUD },
  })
  const rules = [{ projects: ['x'], datasets: ['theirs'] }]
  expect((await make({ datasets: ['mine'], rules }, token)).status).toBe(403)
  const { id } = (await make({ datasets: ['mine'], rules })).body
  expect((await ask(service, 'GET', `/v2/integrations/${id}`, { token })).status).toBe(404)
  const own = (await make({ datasets: ['mine'] }, token)).body
  expect((await ask(service, 'PUT', `/v2/integrations/${own.id}`, { token, body: { rules } })).status).toBe(403)
})
