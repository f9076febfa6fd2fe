/**
 * Tokens and integrations of two services over the same records: what is acknowledged by one counts at the other from the next
 * request on. And what a service does without its records, or without the key to the secrets in them.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempDisposableSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MadeToken } from '@deployment-annotations/contract/token'
import { expect, test } from '@jest/globals'
import { testOnPostgres } from '../../../__tests__/support/databases.ts'
import { ofEachTest } from '../../../__tests__/support/for-tests.ts'
import { runs } from '../../../__tests__/support/long.ts'
import { startPostgres } from '../../../__tests__/support/postgres.ts'
import { runServiceCommand, startService } from '../../../__tests__/support/service.ts'
import { deliver, genericEvent, signGeneric } from '../../edge/__tests__/platforms/webhooks.ts'
import { type Place, usePlaces } from '../../records/__tests__/places.ts'
import { deleteIntegration, insertIntegration, lockIntegrations } from '../../records/src/automations/integration-records.ts'
import { insertFirstToken, listTokens } from '../../records/src/tokens/token-records.ts'
import { withSecret } from '../src/encryption/stored-secret.ts'
import { makeToken } from '../src/tokens/token.ts'
import { ask, make } from './http.ts'
import { startWithoutStore } from './in-process.ts'

const ROUNDS = runs(16, 50)
const KEY = randomBytes(32)

const places = usePlaces()
// Each file of tests has an environment of its own.
process.env.ANNOTATION_SERVICE_ENCRYPTION_KEY = KEY.toString('hex')

/** A service in this process, as one of several over the same records. */
async function startOver(place: Place) {
  return startWithoutStore({ over: await place.again(), check: async () => undefined })
}

type Service = Awaited<ReturnType<typeof startOver>>

const statusOf = async (service: Service, token: string) => (await ask(service, 'GET', '/v2/user', { token })).status

const makeAt = (service: Service) => make<MadeToken>(service, '/v2/tokens', { name: 'made', kind: 'personal' })

places.each((place) => {
  const [a, b] = [ofEachTest(() => startOver(place)), ofEachTest(() => startOver(place))]

  test('a token made at one service works at the other at once, and revoked at one it is refused by the other at once', async () => {
    const wrong: unknown[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const [here, there] = round % 2 === 0 ? [a, b] : [b, a]
      const { id, token } = await makeAt(here)
      const made = await Promise.all([statusOf(there, token), statusOf(there, token), statusOf(here, token)])
      await ask(there, 'DELETE', `/v2/tokens/${id}`)
      const revoked = await Promise.all([statusOf(here, token), statusOf(here, token), statusOf(there, token)])
      if ([...made, ...revoked].join() !== '200,200,200,401,401,401') wrong.push({ round, made, revoked })
    }
    expect(wrong).toEqual([])
  })

  test('tokens are made and revoked at both at the same moment, and none is lost', async () => {
    const made = await Promise.all(Array.from({ length: 40 }, (_, n) => makeAt(n % 2 === 0 ? a : b)))
    const revoked = made.filter((_, n) => n % 4 < 2)
    await Promise.all(revoked.map(({ id }, n) => ask(n % 3 === 0 ? a : b, 'DELETE', `/v2/tokens/${id}`)))
    for (const service of [a, b]) {
      const statuses = await Promise.all(made.map(({ token }) => statusOf(service, token)))
      expect(statuses).toEqual(made.map((one) => (revoked.includes(one) ? 401 : 200)))
    }
  })

  test('of several services that start at once without a token, one makes the first', async () => {
    const services = await Promise.all([place.again(), place.again(), place.again()])
    const made = await Promise.all(
      services.map((records) =>
        records.transaction((db) => insertFirstToken(db, makeToken({ name: 'first', kind: 'personal' }).record)),
      ),
    )
    expect(made.filter(Boolean)).toHaveLength(1)
    expect(await listTokens(place.records.read)).toHaveLength(1)
  })

  test('an integration made by one counts at the other at once, and removed at one it is refused by the other at once', async () => {
    const event = genericEvent('started', '2026-03-01T12:00:00Z', { environment: 'not marked' })
    const wrong: unknown[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const [here, there] = round % 2 === 0 ? [a, b] : [b, a]
      const secret = `the secret of round ${round}`
      const status = async (service: Service) => (await deliver(service, 'generic', signGeneric(event, secret))).status
      const id = `int_${round}`
      await here.records.transaction(async (db) => {
        const all = await lockIntegrations(db)
        const texts = { name: 'made', type: 'deploy', title: '{version}', createdAt: new Date().toISOString() }
        const made = { id, platform: 'generic', datasets: ['web'], environments: ['production'], rules: [], ...texts }
        await insertIntegration(db, withSecret(made, secret, all, [KEY]))
      })
      const made = [await status(there), await status(here)]
      await there.records.transaction(async (db) => {
        await lockIntegrations(db)
        await deleteIntegration(db, id)
      })
      const removed = [await status(here), await status(there)]
      if ([...made, ...removed].join() !== '200,200,401,401') wrong.push({ round, made, removed })
    }
    expect(wrong).toEqual([])
  })

  test('a token made or revoked by the subcommand counts from the next request on', async () => {
    const where = ['--data', place.dataDir, ...(place.url ? ['--postgres', place.url.href] : [])]
    const { stdout, stderr } = await runServiceCommand(['token', 'create', '--personal', ...where])
    const token = stdout.trim()
    const id = /tok_[0-9a-f]{12}/.exec(stderr)?.[0] ?? ''
    expect(await statusOf(a, token)).toBe(200)
    expect((await runServiceCommand(['token', 'list', ...where])).stdout).toMatch(new RegExp(`^${id}\\tpersonal\\t`))
    expect(await runServiceCommand(['token', 'revoke', id, ...where])).toMatchObject({ exitCode: 0, stderr: `revoked ${id}\n` })
    expect(await statusOf(a, token)).toBe(401)
    const again = await runServiceCommand(['token', 'revoke', id, ...where])
    const shown = place.url ? `postgres://${place.url.host}${place.url.pathname}` : place.dataDir
    expect(again).toEqual({ exitCode: 1, stdout: '', stderr: `error: there is no token "${id}" in ${shown}\n` })
  })
})

testOnPostgres('without the records a request with a token is one to send again, and open routes answer', async () => {
  await using server = await startPostgres()
  await using service = await startService({ env: { ANNOTATION_SERVICE_POSTGRES: await server.createDatabase() } })
  const user = (token: string) => ask(service, 'GET', '/v2/user', { token })
  expect([(await user(service.token)).status, (await user('unknown')).status]).toEqual([200, 401])
  await server.stop()
  const webhook = signGeneric(genericEvent('started', '2026-03-01T12:00:00Z'), 'a secret of nobody at all')
  const answers = [await user(service.token), await user('unknown'), await deliver(service, 'generic', webhook)]
  for (const { status, body, headers } of answers) {
    expect({ status, body, retryAfter: headers.get('retry-after') }).toEqual({
      status: 503,
      body: {
        code: 503,
        message: expect.stringMatching(/^the records at postgres:\/\/127\.0\.0\.1:\d+\/\w+ cannot be reached; /),
      },
      retryAfter: '2',
    })
  }
  for (const path of ['/', '/openapi.json']) {
    expect([path, (await ask(service, 'GET', path, { token: null })).status]).toEqual([path, 200])
  }
  expect((await ask(service, 'GET', '/healthz', { token: null })).status).toBe(503)
  await server.start()
  expect([(await user(service.token)).status, (await user('unknown')).status]).toEqual([200, 401])
  expect(service.stdout + service.stderr).not.toContain(server.password)
})

testOnPostgres('no key is made by the way where another service would not have it', async () => {
  await using place = await places.open('PostgreSQL')
  const records = place.url?.href ?? ''
  using folder = mkdtempDisposableSync(join(tmpdir(), 'registries-'))
  const create = async (env: Record<string, string>) => {
    await using started = await startService({
      dataDir: folder.path,
      args: ['--postgres', records],
      env: { ANNOTATION_SERVICE_ENCRYPTION_KEY: '', ...env },
    })
    const body = { platform: 'generic', datasets: ['web'] }
    return await ask<{ message: string }>(started, 'POST', '/v2/integrations', { body })
  }
  const refused = await create({})
  expect(refused.status).toBe(503)
  expect(refused.body.message).toContain('set ANNOTATION_SERVICE_ENCRYPTION_KEY (64 hexadecimal digits')
  expect(refused.body.message).toContain('openssl rand -hex 32) on all services, or copy the key file')
  expect(readdirSync(folder.path)).not.toContain('encryption.key')
  expect((await create({ ANNOTATION_SERVICE_ENCRYPTION_KEY: KEY.toString('hex') })).status).toBe(201)
})
