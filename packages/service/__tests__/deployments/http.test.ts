/**
 * Webhooks as they arrive: the real service on a socket, with integrations made by the subcommand while it runs.
 */
import { execFileSync } from 'node:child_process'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { PlatformName } from '@deployment-annotations/contract/platform'
import { beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import {
  cdEvent,
  deliver,
  genericEvent,
  githubStatus,
  makeIntegration,
  netlifyDeploy,
  recordedPayloads,
  SECRET,
  signGeneric,
  signGitHub,
  signNetlify,
  signStandard,
  signVercel,
  vercelEvent,
  type Webhook,
} from '../../../edge/__tests__/platforms/webhooks.ts'
import { readCases } from '../cases.ts'
import { ask, change, get, list, remove } from '../http.ts'

const service = serviceForTests()
let generic: string
beforeAll(async () => {
  generic = await makeIntegration(service, 'generic', { type: 'production-deploy' })
  await makeIntegration(service, 'github', { datasets: ['web', 'api'], title: '{project} to {environment}' })
  await makeIntegration(service, 'vercel')
  await makeIntegration(service, 'netlify')
})

let count = 0
const newId = () => `deployment-${++count}`
/** Sends one, and gives its annotation as it is then. */
async function sent(platform: PlatformName, webhook: Webhook): Promise<Annotation> {
  const { status, body } = await deliver(service, platform, webhook)
  if (status !== 200 || !body.annotation) throw new Error(`${status} ${JSON.stringify(body)}`)
  return (await get(service, body.annotation)).body
}
const send = (status: string, time: string, members = {}) =>
  deliver(service, 'generic', signGeneric(genericEvent(status, time, members)))

test('GitHub: a recorded status makes a span in the integration’s datasets, and its repeat changes nothing', async () => {
  const [payload] = recordedPayloads('deployment_status')
  const first = await deliver(service, 'github', signGitHub(payload))
  expect(first).toMatchObject({ status: 200, body: { outcome: 'created', annotation: expect.stringMatching(/^ann_/) } })
  const { annotation } = first.body
  expect((await get(service, annotation ?? '')).body).toEqual({
    id: annotation,
    datasets: ['web', 'api'],
    time: '2019-05-15T15:20:53Z',
    endTime: '2019-05-15T15:20:55Z',
    title: 'Codertocat/Hello-World to production',
    description: 'Succeeded after 2 s\n\nEnvironment `production`, branch `master`, commit `f95f852`, by `Codertocat`',
    type: 'deploy',
  })
  expect((await deliver(service, 'github', signGitHub(payload))).body).toEqual({ outcome: 'unchanged', annotation })
})

test('Vercel: created and succeeded become a span; a later promotion does not stretch it', async () => {
  const id = 'dpl_1'
  await sent('vercel', signVercel(vercelEvent('deployment.created', '2026-03-01T12:00:00Z', { id })))
  const span = { time: '2026-03-01T12:00:00Z', endTime: '2026-03-01T12:01:00.5Z', title: 'shop production 0123456' }
  const succeeded = await sent('vercel', signVercel(vercelEvent('deployment.succeeded', '2026-03-01T12:01:00.500Z', { id })))
  expect(succeeded).toMatchObject(span)
  const promoted = signVercel(vercelEvent('deployment.promoted', '2026-03-09T12:00:00Z', { id }))
  expect((await deliver(service, 'vercel', promoted)).body).toEqual({ outcome: 'unchanged', annotation: succeeded.id })
  expect((await get(service, succeeded.id)).body).toEqual(succeeded)
})

test('Netlify: building, then ready, and another that fails', async () => {
  const building = await signNetlify(netlifyDeploy('building'), 'deploy_building')
  const times = { published_at: '2026-03-01T12:02:00Z', updated_at: '2026-03-01T12:02:01Z' }
  const { id } = await sent('netlify', building)
  expect(await sent('netlify', await signNetlify(netlifyDeploy('ready', times), 'deploy_created'))).toMatchObject({
    id,
    time: '2026-03-01T12:00:05.2Z',
    endTime: '2026-03-01T12:02:00Z',
    title: 'shop production 89abcde',
  })
  const broken = netlifyDeploy('error', { id: 'b', error_message: 'Build script returned [2]' })
  expect(await sent('netlify', await signNetlify(broken, 'deploy_failed'))).toMatchObject({
    title: 'shop production 89abcde failed',
    description: expect.stringContaining('Failed after 5 s: Build script returned \\[2\\]'),
  })
})

test('generic: by the standard and in the simple form', async () => {
  const deployment = newId()
  const first = await sent('generic', signStandard(genericEvent('started', '2026-03-01T12:00:00Z', { deployment })))
  expect(first).toMatchObject({ time: '2026-03-01T12:00:00Z', type: 'production-deploy', title: 'shop production v2.4.0' })
  expect(await sent('generic', signGeneric(genericEvent('succeeded', '2026-03-01T12:00:09Z', { deployment })))).toMatchObject({
    id: first.id,
    endTime: '2026-03-01T12:00:09Z',
  })
})

test('a standard delivery of another hour is refused, and says why', async () => {
  for (const atMs of [Date.now() - 301_000, Date.now() + 302_000]) {
    const webhook = signStandard(genericEvent('started', '2026-03-01T12:00:00Z'), { atMs })
    expect(await deliver(service, 'generic', webhook)).toMatchObject({
      status: 401,
      body: { code: 401, message: expect.stringContaining('webhook-timestamp must be the present time') },
    })
  }
})

test('any order, with repeats and several at once, ends as the same annotation', async () => {
  const script = [
    ['started', '2026-03-01T12:00:10Z', { url: 'https://ci.example/1' }],
    ['failed', '2026-03-01T12:01:00Z', { description: 'flaky', url: 'https://ci.example/2' }],
    ['started', '2026-03-01T12:02:00Z', { by: 'ada' }],
    ['succeeded', '2026-03-01T12:03:00Z', { version: 'v2.4.1' }],
  ] as const
  const expected = {
    time: '2026-03-01T12:00:10Z',
    endTime: '2026-03-01T12:03:00Z',
    title: 'shop production v2.4.1',
    description: 'Succeeded after 2 min 50 s\n\nEnvironment `production`, by `ada`',
    url: 'https://ci.example/2',
  }
  const order = fc
    .array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 })
    .chain((repeats) => fc.shuffledSubarray([0, 1, 2, 3, ...repeats], { minLength: 4 + repeats.length }))
  await fc.assert(
    fc.asyncProperty(order, fc.boolean(), async (indexes, isAtOnce) => {
      const deployment = newId()
      const ids = new Set<string | undefined>()
      const deliverOne = async (index: number) => {
        const [status, time, members] = script[index] as (typeof script)[number]
        const answer = await send(status, time, { deployment, ...members })
        expect(answer.status).toBe(200)
        ids.add(answer.body.annotation)
      }
      if (isAtOnce) await Promise.all(indexes.map(deliverOne))
      else for (const index of indexes) await deliverOne(index)
      expect(ids.size).toBe(1)
      expect((await get(service, [...ids][0] ?? '')).body).toMatchObject(expected)
    }),
    { numRuns: 20 },
  )
})

test.each<[string, PlatformName, () => Webhook | Promise<Webhook>, string]>([
  ['a ping', 'github', () => signGitHub(recordedPayloads('ping')[0], 'ping'), 'a ping'],
  ['a push', 'github', () => signGitHub(recordedPayloads('push')[0], 'push'), 'not a deployment event'],
  [
    'inactive',
    'github',
    () => signGitHub(githubStatus('inactive', '2026-03-01T12:00:00Z')),
    'another deployment has taken its place',
  ],
  ['a state to come', 'github', () => signGitHub(githubStatus('frozen', '2026-03-01T12:00:00Z')), 'unknown state'],
  ['no deployment', 'github', () => signGitHub({ action: 'created' }), 'names no deployment'],
  ['a project', 'vercel', () => signVercel({ type: 'project.created', payload: {} }), 'start or end'],
  [
    'a preview',
    'vercel',
    () => signVercel(vercelEvent('deployment.created', '2026-03-01T12:00:00Z', { target: null })),
    'environment',
  ],
  ['a lock', 'netlify', () => signNetlify(netlifyDeploy('ready'), 'deploy_locked'), 'start or end'],
  ['a form', 'netlify', () => signNetlify({ id: 'x', form_name: 'contact' }, 'submission_created'), 'state'],
  [
    'a pull request',
    'netlify',
    () => signNetlify(netlifyDeploy('ready', { context: 'deploy-preview' }), 'deploy_created'),
    'environment',
  ],
  ['null', 'vercel', () => signVercel(null), 'start or end'],
])('%s of %s is acknowledged and marks nothing', async (_, platform, sign, reason) => {
  const before = (await list(service)).body.length
  expect(await deliver(service, platform, await sign())).toMatchObject({
    status: 200,
    body: { outcome: 'ignored', reason: expect.stringContaining(reason) },
  })
  expect((await list(service)).body).toHaveLength(before)
})

test('broken JSON under a right signature is 400', async () => {
  const { headers, body } = signVercel('x')
  expect((await deliver(service, 'vercel', { headers, body })).body.outcome).toBe('ignored')
  const { createHmac } = await import('node:crypto')
  const broken = '{"type":'
  const signature = createHmac('sha1', SECRET).update(broken).digest('hex')
  expect(await deliver(service, 'vercel', { body: broken, headers: { 'x-vercel-signature': signature } })).toMatchObject({
    status: 400,
    body: { code: 400, message: expect.stringContaining('the body is not JSON') },
  })
})

test.each<[PlatformName, string]>([
  ['github', 'X-Hub-Signature-256'],
  ['vercel', 'x-vercel-signature'],
  ['netlify', 'X-Webhook-Signature'],
  ['generic', 'webhook-signature'],
])('%s: no signature, or a wrong one, is 401 and names %s, and not the right one', async (platform, header) => {
  const unsigned = await deliver(service, platform, { body: '{}', headers: {} })
  const wrong = await deliver(service, platform, {
    body: '{}',
    headers: {
      [header]: `sha256=${'0'.repeat(64)}`,
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      'webhook-id': '1',
    },
  })
  for (const answer of [unsigned, wrong]) {
    expect(answer).toMatchObject({ status: 401, body: { code: 401, message: expect.stringContaining(`expected ${header}: `) } })
    expect(answer.headers.get('www-authenticate')).toBe('Signature')
    expect(JSON.stringify(answer.body)).not.toMatch(/[0-9a-f]{40}/)
  }
})

test('a platform without an integration answers like one with another secret', async () => {
  await using bare = await startService()
  const webhook = signVercel(vercelEvent('deployment.created', '2026-03-01T12:00:00Z'), 'a secret that nobody has given')
  const [none, other] = [await deliver(bare, 'vercel', webhook), await deliver(service, 'vercel', webhook)]
  expect(none.status).toBe(401)
  expect(none.body).toEqual(other.body)
})

test('of several integrations the one whose secret signed is the one', async () => {
  const secret = 'the secret of the second one'
  const second = await makeIntegration(service, 'generic', { secret, datasets: ['web', 'second'], type: 'second' })
  const event = genericEvent('started', '2026-03-02T12:00:00Z', { deployment: 'shared' })
  const [mine, theirs] = [await sent('generic', signGeneric(event)), await sent('generic', signGeneric(event, secret))]
  expect([mine.type, theirs.type, mine.id === theirs.id]).toEqual(['production-deploy', 'second', false])
  await service.waitForRequests(service.requests.length)
  expect(service.stderr).toContain(`"integrationId":"${second}","platform":"generic","deployment":"shared","outcome":"created"`)
})

test('a body over the limit is 413, and one in an encoding is 415', async () => {
  const { headers } = signGeneric({})
  expect((await deliver(service, 'generic', { body: 'x'.repeat(1_048_577), headers })).status).toBe(413)
  const packed = await deliver(service, 'generic', { body: 'x', headers: { ...headers, 'content-encoding': 'gzip' } })
  expect(packed).toMatchObject({ status: 415, body: { message: expect.stringContaining('"gzip" is not supported') } })
})

test('an annotation that somebody deleted stays deleted', async () => {
  const deployment = newId()
  const { id } = await sent('generic', signGeneric(genericEvent('started', '2026-03-03T12:00:00Z', { deployment })))
  await remove(service, id)
  for (const status of ['succeeded', 'failed']) {
    const late = await send(status, '2026-03-03T12:05:00Z', { deployment })
    expect(late).toMatchObject({ status: 200, body: { outcome: 'ignored', reason: expect.stringContaining('deleted') } })
  }
  expect((await get(service, id)).status).toBe(404)
})

test('what somebody changed by hand is kept where the events do not touch it', async () => {
  const deployment = newId()
  const { id } = await sent('generic', signGeneric(genericEvent('started', '2026-03-03T12:00:00Z', { deployment })))
  await change(service, id, { title: 'The big one', datasets: ['mine'] })
  const after = await sent('generic', signGeneric(genericEvent('succeeded', '2026-03-03T12:05:00Z', { deployment })))
  expect(after).toMatchObject({ id, title: 'The big one', datasets: ['mine'], endTime: '2026-03-03T12:05:00Z' })
})

test('an end set by hand that a late begin does not fit to is no reason to refuse the platform', async () => {
  const deployment = newId()
  const at = (state: string, time: string) =>
    signGitHub(githubStatus(state, time, { id: 9_001, deployment: { task: deployment } }))
  const { id } = await sent('github', at('queued', '2026-03-01T12:00:10Z'))
  await change(service, id, { endTime: '2026-03-01T12:00:05Z' })
  expect(await deliver(service, 'github', at('in_progress', '2026-03-01T12:00:20Z'))).toMatchObject({
    status: 200,
    body: { outcome: 'ignored', reason: expect.stringContaining('by hand') },
  })
  expect(await sent('github', at('success', '2026-03-01T12:01:00Z'))).toMatchObject({
    time: '2026-03-01T12:00:20Z',
    endTime: '2026-03-01T12:01:00Z',
  })
})

test('hostile ids and texts are kept as what they are', async () => {
  for (const deployment of readCases<string[]>(import.meta.url)) {
    const first = await send('started', '2026-03-04T12:00:00Z', { deployment, project: `<b>${deployment}</b>` })
    expect(first.body.outcome).toBe('created')
    expect((await send('started', '2026-03-04T12:00:00Z', { deployment, project: `<b>${deployment}</b>` })).body).toEqual({
      outcome: 'unchanged',
      annotation: first.body.annotation,
    })
  }
  expect((await ask(service, 'GET', '/healthz')).status).toBe(200)
})

test('neither secrets nor payloads are in the log, and no secret is on disk in clear', async () => {
  await send('started', '2026-03-05T12:00:00Z', { deployment: 'logged-1', project: 'not-for-the-log' })
  await service.waitForRequests(service.requests.length)
  const log = service.stdout + service.stderr
  expect(log).toContain(
    `"event":"deployment","integrationId":"${generic}","platform":"generic","deployment":"logged-1","outcome":"created"`,
  )
  for (const secret of [SECRET, SECRET.slice(6), 'not-for-the-log', signGeneric({}).headers['x-signature-256'] as string]) {
    expect(log).not.toContain(secret)
  }
  for (const secret of [SECRET, Buffer.from(SECRET).toString('hex'), Buffer.from(SECRET).toString('base64')]) {
    expect(() => execFileSync('grep', ['-rlF', secret, service.dataDir])).toThrow()
  }
})

test('Standard Webhooks: the id is part of what is signed, so a request without it is malformed', async () => {
  const { body, headers } = signStandard(genericEvent('started', '2026-03-01T12:00:00Z', { deployment: newId() }), { id: '' })
  const { 'webhook-id': _, ...without } = headers
  for (const sent of [headers, without]) {
    const answer = await deliver(service, 'generic', { body, headers: sent as Record<string, string> })
    expect(answer).toMatchObject({ status: 400, body: { code: 400, message: expect.stringContaining('webhook-id') } })
  }
})

test('CDEvents: a batch is marked event by event, an incident ends, and what is sent again changes nothing', async () => {
  await makeIntegration(service, 'cdevents', { secret: 'the secret of CDEvents', datasets: ['cdevents'] })
  const incident = (type: string, id: string, timestamp: string) =>
    cdEvent(`incident.${type}.0.2.0`, { description: 'Payments fail' }, { id: 'i-7', type: 'incident' }, { id, timestamp })
  const wrap = (data: object) => ({ specversion: '1.0', id: 'x', source: 'y', type: 'z', data })
  const deployed = cdEvent('service.deployed.0.2.0', { environment: { id: 'production' }, artifactId: 'pkg:oci/shop@1.4.0' })
  const batch = [deployed, incident('detected', 'a', '2026-03-01T12:00:00Z'), { data: 7 }].map(wrap)
  const headers = { authorization: 'Bearer the secret of CDEvents', 'content-type': 'application/cloudevents-batch+json' }
  const send = (events: object) => deliver(service, 'cdevents', { body: JSON.stringify(events), headers })
  const first = await send(batch)
  expect(first).toMatchObject({
    status: 200,
    body: { outcome: 'created', results: [{ outcome: 'created' }, { outcome: 'created' }, { outcome: 'ignored' }] },
  })
  expect((await send(batch)).body).toMatchObject({ results: [{ outcome: 'unchanged' }, { outcome: 'unchanged' }, {}] })
  await send([wrap(incident('resolved', 'b', '2026-03-01T12:05:00Z'))])
  const marks = (await list(service, '?datasets=cdevents')).body
  expect(marks.map(({ title, type, description, endTime }) => [title, type, description?.split('\n')[0], endTime])).toEqual([
    ['Payments fail resolved', 'incident', 'Resolved after 5 min', '2026-03-01T12:05:00Z'],
    ['shop production 1.4.0', 'deploy', 'Succeeded', '2026-03-01T12:00:00.123Z'],
  ])
})

const GITLAB_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
test('a secret in a header is taken where the platform sends it so, and a wrong one is not', async () => {
  await makeIntegration(service, 'gitlab', { secret: GITLAB_SECRET })
  await makeIntegration(service, 'azure-devops', { secret: 'the secret of Azure' })
  const body = JSON.stringify({ object_kind: 'push' })
  const status = async (platform: PlatformName, headers: Record<string, string>) =>
    (await deliver(service, platform, { body, headers })).status
  const basic = (secret: string) => ({ authorization: `Basic ${Buffer.from(`any:${secret}`).toString('base64')}` })
  expect([
    await status('gitlab', { 'x-gitlab-token': GITLAB_SECRET }),
    await status('gitlab', { 'x-gitlab-token': GITLAB_SECRET.slice(0, -1) }),
    await status('gitlab', { 'x-gitlab-token': 'the secret of Azure' }),
    await status('gitlab', { authorization: `Bearer ${GITLAB_SECRET}` }),
    await status('gitlab', signStandard({ object_kind: 'push' }, { secret: GITLAB_SECRET }).headers),
    await status('azure-devops', basic('the secret of Azure')),
    await status('azure-devops', basic('')),
    await status('azure-devops', { authorization: `Bearer ${service.token}` }),
  ]).toEqual([200, 401, 401, 401, 200, 200, 401, 401])
})

test('a mapping reads any body, is changed and refused by name, and a repeat without a time keeps the first', async () => {
  const mapping = { deployment: '{id}', state: '{result}', title: 'Rollout of {app}' }
  const secret = 'a secret for bodies of others'
  const id = await makeIntegration(service, 'generic', { secret, datasets: ['mapped'], mapping })
  const headers = { authorization: `Bearer ${secret}` }
  const post = (body: object) =>
    ask<{ outcome: string }>(service, 'POST', `/v1/integrations/generic/${id}`, { token: null, headers, body })
  expect((await post({ id: 7, result: 'running', app: 'shop' })).body.outcome).toBe('created')
  expect((await post({ id: 7, result: 'Failed', app: 'shop' })).body.outcome).toBe('changed')
  const before = (await list(service, '?datasets=mapped')).body
  expect(before).toMatchObject([{ title: 'Rollout of shop failed', endTime: expect.any(String) }])
  expect((await post({ id: 7, result: 'Failed', app: 'shop' })).body.outcome).toBe('unchanged')
  expect((await list(service, '?datasets=mapped')).body).toEqual(before)
  const put = (changed: object | null) =>
    ask<{ message?: string; mapping?: object }>(service, 'PUT', `/v2/integrations/${id}`, { body: { mapping: changed } })
  expect((await put({ deployment: '{id' })).body.message).toContain('mapping.deployment: "{id" has a brace')
  expect((await put({ deployment: '{other}' })).body.mapping).toEqual({ deployment: '{other}' })
  expect((await post({ id: 8, result: 'ok' })).body).toEqual({
    outcome: 'ignored',
    reason: 'the body has no {other}, which names the deployment',
  })
  expect((await put(null)).body).not.toHaveProperty('mapping')
  expect((await post({ id: 9, result: 'ok' })).body).toMatchObject({ message: expect.stringContaining('deployment is required') })
  const wrong = await ask<{ message: string }>(service, 'POST', '/v2/integrations', {
    body: { platform: 'github', datasets: ['web'], mapping: { deployment: '{id}' } },
  })
  expect([wrong.status, wrong.body.message]).toEqual([422, 'mapping is for the platform generic; what github sends is known'])
})

test('a preview says what a body would be shown as, and marks nothing', async () => {
  const tried = { platform: 'generic', mapping: { deployment: '{id}', title: '{name}' }, body: { id: 'x', name: '<b>shop</b>' } }
  const { status, body } = await ask(service, 'POST', '/v2/integrations/preview', { body: { ...tried, type: 'release' } })
  expect([status, body]).toMatchObject([200, { marks: [{ deployment: 'x', title: '<b>shop</b>', type: 'release' }] }])
  expect((await list(service, '?datasets=preview')).body).toEqual([])
  const none = await ask(service, 'POST', '/v2/integrations/preview', { body: { platform: 'github', body: null } })
  expect(none).toMatchObject({ status: 200, body: { marks: [{ ignored: 'not a deployment event' }] } })
  const wrong = await ask(service, 'POST', '/v2/integrations/preview', { body: { ...tried, mapping: { deployment: '{}' } } })
  expect(wrong).toMatchObject({ status: 422, body: { message: expect.stringContaining('mapping.deployment') } })
})
