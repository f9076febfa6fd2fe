/** Tokens over HTTP, and what a token is told that it may do. */

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { listNames } from '@deployment-annotations/apl/names'
import type { ErrorBody } from '@deployment-annotations/contract/error-body'
import { PERMISSIONS } from '@deployment-annotations/contract/permission'
import type { MadeToken, Token } from '@deployment-annotations/contract/token'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { runServiceCommand } from '../../../__tests__/support/service.ts'
import { ask, create, makeToken } from './http.ts'

const service = serviceForTests()

const post = (body: unknown, token = service.token) => ask<MadeToken & ErrorBody>(service, 'POST', '/v2/tokens', { body, token })
const revoke = (id: string, token = service.token) => ask<ErrorBody>(service, 'DELETE', `/v2/tokens/${id}`, { token })
const listTokens = async () => (await ask<Token[]>(service, 'GET', '/v2/tokens')).body

test('a token is made with a name and permissions, works at once, and is shown in one answer only', async () => {
  const { status, headers, body } = await post({ name: 'ci', permissions: ['annotations|create', 'query|read', 'query|read'] })
  expect({ status, kept: headers.get('cache-control') }).toEqual({ status: 201, kept: 'no-store' })
  const { token, ...record } = body
  expect(record).toEqual({
    id: expect.stringMatching(/^tok_[0-9a-f]{12}$/),
    name: 'ci',
    kind: 'api',
    permissions: ['annotations|create', 'query|read'],
    datasetCapabilities: { '*': { query: ['read'] } },
    orgCapabilities: { annotations: ['create'] },
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  })
  expect(token).toMatch(/^xaat-[0-9a-f]{64}$/)
  expect((await create({ ...service, token })).status).toBe(201)
  expect((await ask(service, 'GET', '/v2/annotations', { token })).status).toBe(403)
  const listed = await listTokens()
  expect(listed.at(-1)).toEqual(record)
  expect(JSON.stringify(listed)).not.toMatch(/[0-9a-f]{64}/)
  expect(() => execFileSync('grep', ['-rlF', token, service.dataDir])).toThrow()
  expect(service.stdout + service.stderr).not.toContain(token)
})

test('a personal token may do everything, tokens included', async () => {
  const { token, ...record } = await makeToken(service, { kind: 'personal' })
  expect(record).toMatchObject({ kind: 'personal', permissions: PERMISSIONS })
  expect(token).toMatch(/^xapt-[0-9a-f]{64}$/)
  expect((await post({ name: 'of a made one', permissions: ['query|read'] }, token)).status).toBe(201)
})

test('tokens made over HTTP and by the command are the same tokens', async () => {
  const making = [
    makeToken(service, { permissions: ['query|read'] }),
    makeToken(service, { kind: 'personal' }),
    makeToken(service, { permissions: ['ingest|create'] }),
  ]
  const command = runServiceCommand(['token', 'create', '--personal', '--name', 'by command', '--data', service.dataDir])
  const made = await Promise.all(making)
  expect(await command).toMatchObject({ exitCode: 0 })
  const names = (await listTokens()).map(({ id, name }) => (name === 'by command' ? name : id))
  expect(names).toEqual(expect.arrayContaining(['by command', ...made.map(({ id }) => id)]))
  const { stdout } = await runServiceCommand(['token', 'list', '--data', service.dataDir])
  for (const { id } of made) expect(stdout).toContain(id)
})

test('a revoked token is refused from the next request on, and revoking it again finds none', async () => {
  const { token, id } = await makeToken(service, { permissions: ['annotations|read'] })
  expect((await ask(service, 'GET', '/v2/annotations', { token })).status).toBe(200)
  expect(await revoke(id)).toMatchObject({ status: 204, body: '' })
  expect((await ask(service, 'GET', '/v2/annotations', { token })).status).toBe(401)
  expect(await revoke(id)).toMatchObject({ status: 404, body: { code: 404, message: `token "${id}" not found` } })
  expect((await listTokens()).map((listed) => listed.id)).not.toContain(id)
})

test('a token may revoke itself', async () => {
  const { token, id } = await makeToken(service, { kind: 'personal' })
  expect((await revoke(id, token)).status).toBe(204)
  expect((await ask(service, 'GET', '/v2/tokens', { token })).status).toBe(401)
})

test('the token given at start is listed first, and is not removed by request', async () => {
  expect((await listTokens())[0]).toMatchObject({ id: 'tok_operator', name: 'operator', kind: 'personal' })
  expect(await revoke('tok_operator')).toMatchObject({
    status: 409,
    body: { code: 409, message: expect.stringContaining('goes away when the service is started without it') },
  })
  expect((await ask(service, 'GET', '/v2/tokens')).status).toBe(200)
})

test('a name is counted in code points and comes back as it was', async () => {
  const name = '🚀'.repeat(256)
  const { id } = await makeToken(service, { name, permissions: ['query|read'] })
  expect((await listTokens()).find((listed) => listed.id === id)?.name).toBe(name)
})

test('a token that is revoked while its request arrives makes no other', async () => {
  const { token, id } = await makeToken(service, { kind: 'personal' })
  const before = await listTokens()
  const late = request(`${service.url}/v2/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', expect: '100-continue' },
  })
  late.flushHeaders()
  // Said when the request reaches the service, which looks at the token before the body.
  await once(late, 'continue')
  late.write('{"name":"late",')
  expect((await revoke(id)).status).toBe(204)
  late.end('"kind":"personal"}')
  const [answer] = await once(late, 'response')
  expect([answer.statusCode, JSON.parse(await text(answer))]).toEqual([
    401,
    { code: 401, message: `token ${id} was revoked while the request was under way` },
  ])
  expect(await listTokens()).toEqual(before.filter((listed) => listed.id !== id))
})

test('a token is told whose it is, and what it may do', async () => {
  const { token, id } = await makeToken(service, { name: 'reader', permissions: ['query|read', 'annotations|read'] })
  expect((await ask(service, 'GET', '/v2/user', { token })).body).toEqual({
    id,
    name: 'reader',
    email: '',
    role: { id: 'api', name: 'restricted' },
  })
  expect((await ask(service, 'GET', '/v2/user')).body).toMatchObject({
    id: 'tok_operator',
    role: { id: 'personal', name: 'all' },
  })
  const permissionsOf = async (options: object) => (await ask(service, 'GET', '/v2/user/permissions', options)).body
  expect(await permissionsOf({ token })).toEqual({
    permissions: ['query|read', 'annotations|read'],
    datasetCapabilities: { '*': { query: ['read'] } },
    orgCapabilities: { annotations: ['read'] },
  })
  expect(await permissionsOf({})).toMatchObject({
    permissions: PERMISSIONS,
    datasetCapabilities: { '*': { ingest: ['create'] } },
  })
  const ofWeb = { datasetCapabilities: { web: { query: ['read'] } }, orgCapabilities: { annotations: ['read'] } }
  const limited = await post({ name: 'of web', ...ofWeb })
  const told = await permissionsOf({ token: limited.body.token })
  expect(told).toEqual({ permissions: ['annotations|read', 'query|read'], ...ofWeb })
  expect(await permissionsOf({ token: null })).toMatchObject({ code: 401 })
})

test('the names of the language are told to any token, and may be kept for an hour', async () => {
  const { token } = await makeToken(service, { permissions: ['ingest|create'] })
  const { status, headers, body } = await ask(service, 'GET', '/v2/language', { token })
  expect({ status, kept: headers.get('cache-control') }).toEqual({ status: 200, kept: 'private, max-age=3600' })
  expect(body).toEqual({ ...listNames(), sources: expect.any(Array) })
})
