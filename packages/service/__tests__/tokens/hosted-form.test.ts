/** Tokens in the form of the hosted service: what published clients and Terraform send, and what they are answered. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorBody } from '@deployment-annotations/contract/error-body'
import type { MadeToken, Token } from '@deployment-annotations/contract/token'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { runServiceCommand } from '../../../../__tests__/support/service.ts'
import { readCases } from '../cases.ts'
import { ask, CRUD, makeToken } from '../http.ts'

const service = serviceForTests()

const post = (body: unknown, token = service.token) => ask<MadeToken & ErrorBody>(service, 'POST', '/v2/tokens', { body, token })
const get = (id: string, token = service.token) => ask<Token & ErrorBody>(service, 'GET', `/v2/tokens/${id}`, { token })
const regenerate = (id: string, body: unknown, token = service.token) =>
  ask<MadeToken & ErrorBody>(service, 'POST', `/v2/tokens/${id}/regenerate`, { body, token })
const list = async (token = service.token) => (await ask<Token[]>(service, 'GET', '/v2/tokens', { token })).body
const statusOf = async (token: string) => (await ask(service, 'GET', '/v2/user', { token })).status
const make = (body: object, token = service.token) => makeToken({ ...service, token }, body)
const OF_WEB = { datasetCapabilities: { web: { ingest: ['create'] } } }
const inOneDay = () => `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}Z`

test('a token of the published Go client comes back as it was sent, without what is empty', async () => {
  const expiresAt = inOneDay()
  const { status, headers, body } = await post({
    name: 'ci',
    description: 'of a job',
    expiresAt,
    datasetCapabilities: { '*': { ingest: ['create'], query: null, trim: [], virtualFields: null } },
    orgCapabilities: { users: CRUD },
  })
  expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
  const { token, ...shown } = body
  expect(shown).toEqual({
    id: expect.stringMatching(/^tok_/),
    name: 'ci',
    description: 'of a job',
    kind: 'api',
    permissions: ['ingest|create'],
    datasetCapabilities: { '*': { ingest: ['create'] } },
    orgCapabilities: { users: CRUD },
    expiresAt,
    createdAt: expect.any(String),
  })
  expect(token).toMatch(/^xaat-[0-9a-f]{64}$/)
  expect((await get(body.id)).body).toEqual(shown)
  expect(await list()).toContainEqual(shown)
})

/** An empty parameter asks for nothing, as published clients do; our own page and tests ask for all members. */
const WITHOUT_OURS = '?include='

test('a client that decodes strictly is answered members of the hosted service only', async () => {
  const question = { body: { name: 'strict', ...OF_WEB } }
  const made = await ask<MadeToken>(service, 'POST', `/v2/tokens${WITHOUT_OURS}`, question)
  const hosted = ['datasetCapabilities', 'id', 'name', 'orgCapabilities']
  expect(Object.keys(made.body).sort()).toEqual([...hosted, 'token'])
  const one = `/v2/tokens/${made.body.id}`
  const shown = await ask<Token>(service, 'GET', one + WITHOUT_OURS)
  expect(Object.keys(shown.body).sort()).toEqual(hosted)
  const all = await ask<Token[]>(service, 'GET', `/v2/tokens${WITHOUT_OURS}`)
  expect(all.body).toContainEqual(shown.body)
  expect(all.body.filter((token) => 'kind' in token || 'permissions' in token || 'createdAt' in token)).toEqual([])
  const body = { existingTokenExpiresAt: inOneDay() }
  const anew = await ask<MadeToken>(service, 'POST', `${one}/regenerate${WITHOUT_OURS}`, { body })
  expect(Object.keys(anew.body).sort()).toEqual([...hosted, 'token'])
})

test.each([
  ['/v2/tokens', { name: 'refused', ...OF_WEB }],
  ['/v2/annotations', { datasets: ['refused'], type: 'deploy' }],
])('%s refuses to include anything but all, and creates nothing', async (path, body) => {
  const { body: before } = await ask(service, 'GET', path)
  for (const [method, question] of [['GET'], ['POST', { body }]] as const) {
    const { status, body } = await ask<ErrorBody>(service, method, `${path}?include=some`, question)
    expect([status, body.message]).toEqual([422, expect.stringMatching(/^include must be (?:one of )?all, got "some"/)])
  }
  expect((await ask(service, 'GET', path)).body).toEqual(before)
})

test('no expiry is what null and the zero time of Go say', async () => {
  for (const expiresAt of [null, '0001-01-01T00:00:00Z', undefined]) {
    expect(await make({ ...OF_WEB, expiresAt })).not.toHaveProperty('expiresAt')
  }
})

test('a token is refused from the moment at which it expires', async () => {
  // To a second that is not over yet.
  const expiresAt = `${new Date(Date.now() + 3_000).toISOString().slice(0, 19)}Z`
  const { token, id } = await make({ ...OF_WEB, expiresAt })
  for (;;) {
    const from = Date.now()
    const { status, body } = await ask<ErrorBody>(service, 'GET', '/v2/user', { token })
    if (status === 200) {
      expect(from).toBeLessThan(Date.parse(expiresAt))
      await sleep(50)
      continue
    }
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt))
    expect([status, body.message]).toEqual([401, `token ${id} expired at ${expiresAt.replace('Z', '.000Z')}`])
    break
  }
  expect(await list()).toContainEqual(expect.objectContaining({ id, expiresAt: expect.any(String) }))
})

test('a token is regenerated: the same, with another secret, and the one before it expires', async () => {
  const before = await make({ ...OF_WEB, description: 'd', expiresAt: inOneDay() })
  const { status, headers, body } = await regenerate(before.id, { existingTokenExpiresAt: new Date().toISOString() })
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(body).toEqual({ ...before, id: body.id, token: body.token, createdAt: body.createdAt })
  expect([body.id === before.id, body.token === before.token]).toEqual([false, false])
  expect([await statusOf(before.token), await statusOf(body.token)]).toEqual([401, 200])
})

test('a token is regenerated with other members, and the one before it lives on for a while, and not longer than it would', async () => {
  const first = await make(OF_WEB)
  const later = inOneDay()
  const newToken = { name: 'replacement', description: 'r', expiresAt: later, orgCapabilities: { annotations: ['read'] } }
  const second = (await regenerate(first.id, { existingTokenExpiresAt: later, newToken })).body
  expect(second).toMatchObject({ name: 'replacement', expiresAt: later, orgCapabilities: { annotations: ['read'] } })
  expect(second.datasetCapabilities).toEqual({})
  expect([await statusOf(first.token), await statusOf(second.token)]).toEqual([200, 200])
  expect((await get(first.id)).body.expiresAt).toBe(later)
  await regenerate(first.id, { existingTokenExpiresAt: '2199-01-01T00:00:00Z', newTokenExpiresAt: later })
  expect((await get(first.id)).body.expiresAt).toBe(later)
})

test('a token that cannot be regenerated is refused with the reason', async () => {
  const past = new Date(Date.now() - 1_000).toISOString()
  expect((await regenerate('tok_0123456789ab', { existingTokenExpiresAt: past })).status).toBe(404)
  expect((await regenerate('tok_operator', { existingTokenExpiresAt: past })).status).toBe(409)
  expect((await regenerate('ann_1', { existingTokenExpiresAt: past })).status).toBe(400)
  const { id } = await make({ ...OF_WEB, expiresAt: inOneDay() })
  expect((await regenerate(id, {})).body.code).toBe(602)
  expect((await regenerate(id, { existingTokenExpiresAt: past, newTokenExpiresAt: past })).body.code).toBe(609)
  expect((await regenerate(id, { existingTokenExpiresAt: past })).status).toBe(200)
  const again = await regenerate(id, { existingTokenExpiresAt: past })
  expect(again).toMatchObject({ status: 422, body: { message: `newTokenExpiresAt is required, as token ${id} has expired` } })
})

test('an API token with the capability manages API tokens that may do no more than itself', async () => {
  const orgCapabilities = { apiTokens: CRUD, annotations: ['read'] }
  const { token, id } = await make({ datasetCapabilities: { web: { query: ['read'], ingest: ['create'] } }, orgCapabilities })
  const made = await make(OF_WEB, token)
  expect((await get(made.id, token)).body.id).toBe(made.id)
  const refused = readCases<[body: object, lacks: string][]>(import.meta.url)
  for (const [body, lacks] of refused) {
    const message = `token ${id} may give no more than it has, and lacks ${lacks}`
    expect(await post({ name: 'wider', ...body }, token)).toMatchObject({ status: 403, body: { message } })
  }
  const wider = await make({ permissions: ['ingest|create'] })
  const past = new Date(0).toISOString()
  expect((await regenerate(wider.id, { existingTokenExpiresAt: past }, token)).status).toBe(404)
  expect(await statusOf(wider.token)).toBe(200)
  const personal = await make({ kind: 'personal' })
  const listed = (await list(token)).map((one) => one.id)
  expect(listed).toEqual(expect.arrayContaining([id, made.id]))
  for (const other of [wider.id, personal.id]) {
    expect(listed).not.toContain(other)
    expect((await get(other, token)).status).toBe(404)
    expect((await ask(service, 'DELETE', `/v2/tokens/${other}`, { token })).status).toBe(404)
  }
  expect((await ask(service, 'DELETE', `/v2/tokens/${made.id}`, { token })).status).toBe(204)
})

test('a token that expires makes none that lasts longer', async () => {
  const expiresAt = inOneDay()
  const { token } = await make({ orgCapabilities: { apiTokens: ['create'], annotations: ['read'] }, expiresAt })
  const body = { name: 'child', orgCapabilities: { annotations: ['read'] } }
  expect((await post(body, token)).body.message).toContain(`send expiresAt, ${expiresAt.replace('Z', '.000Z')} at the latest`)
  expect((await post({ ...body, expiresAt }, token)).status).toBe(201)
})

test('the subcommand limits a token to datasets and to a time', async () => {
  const run = (...args: string[]) => runServiceCommand(['token', ...args, '--data', service.dataDir])
  const { stdout, stderr } = await run(
    'create',
    '--permission',
    'ingest|create',
    'annotations|read',
    '--dataset',
    'web',
    'api',
    '--expires',
    '90d',
  )
  const id = /tok_[0-9a-f]{12}/.exec(stderr)?.[0] ?? ''
  expect((await get(id)).body).toMatchObject({
    permissions: [],
    datasetCapabilities: { web: { ingest: ['create'] }, api: { ingest: ['create'] } },
    orgCapabilities: { annotations: ['read'] },
  })
  expect(Date.parse((await get(id)).body.expiresAt ?? '')).toBeGreaterThan(Date.now() + 89 * 86_400_000)
  const send = async (dataset: string) =>
    (await ask(service, 'POST', `/v1/ingest/${dataset}`, { token: stdout.trim(), body: [{}] })).status
  expect([await send('web'), await send('other')]).toEqual([200, 403])
  expect((await run('list')).stdout).toMatch(
    new RegExp(`^${id}\\tapi\\t.*\\tannotations\\|read,ingest\\|create\\tweb,api\\texpires 20`, 'm'),
  )
  expect((await run('create', '--personal', '--dataset', 'web')).stderr).toContain('leave out --dataset')
  expect((await run('create', '--personal', '--expires', 'soon')).stderr).toContain('neither a duration such as 90d nor a time')
})
