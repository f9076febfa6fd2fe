/**
 * What integrations leave on disk: secrets that are encrypted with a key from a file or the environment, and what happens without it.
 */
import { existsSync, mkdtempDisposableSync, readFileSync, renameSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Integration, MadeIntegration } from '@deployment-annotations/contract/integration'
import { PLATFORMS, type PlatformName } from '@deployment-annotations/contract/platform'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { openTestRecords } from '../../../../__tests__/support/records.ts'
import { runServiceCommand, startService } from '../../../../__tests__/support/service.ts'
import {
  deliver,
  genericEvent,
  makeIntegration,
  signGeneric,
  signVercel,
  vercelEvent,
} from '../../../edge/__tests__/platforms/webhooks.ts'
import { listIntegrations } from '../../../records/src/automations/integration-records.ts'
import { createLog } from '../../../runtime/src/log.ts'
import { IntegrationRegistry } from '../../src/automations/integrations/registry.ts'
import { decrypt, encrypt } from '../../src/encryption/encryption.ts'
import { type Answer, ask } from '../http.ts'

const service = serviceForTests()

/** A data directory of a test's own. */
const makeDir = () => mkdtempDisposableSync(join(tmpdir(), 'integrations-'))
/** @returns the secret of an integration that a service of its own makes there */
async function create(dataDir: string, settings: object, env = {}): Promise<Answer<MadeIntegration & { message: string }>> {
  await using started = await startService({ dataDir, env })
  return await ask(started, 'POST', '/v2/integrations', { body: { datasets: ['web'], ...settings } })
}

let count = 0
const newEvent = (members = {}) => genericEvent('started', '2026-03-01T12:00:00Z', { deployment: `d${++count}`, ...members })

test('vercel and netlify mark production unless told otherwise, the others all', async () => {
  const ids = await Promise.all(
    PLATFORMS.map((platform) => makeIntegration(service, platform, { secret: `for ${platform} alone` })),
  )
  const one = (id: string) => ask<Integration>(service, 'GET', `/v2/integrations/${id}`)
  const made = (await Promise.all(ids.map(one))).map(({ body }) => [body.platform, body.environments])
  const all = Object.fromEntries(PLATFORMS.map((platform) => [platform, [] as string[]]))
  expect(Object.fromEntries(made)).toEqual({ ...all, vercel: ['production'], netlify: ['production'] })
})

test('records and key are for their owner only, and neither the records nor the answer have the secret', async () => {
  using dir = makeDir()
  const secret = 'nobody shall read this one'
  const { body } = await create(dir.path, { platform: 'vercel', secret })
  const [file, key] = ['records.db', 'encryption.key'].map((name) => join(dir.path, name)) as [string, string]
  for (const path of [file, key]) expect(statSync(path).mode & 0o777).toBe(0o600)
  for (const bytes of [readFileSync(file), Buffer.from(JSON.stringify(body))]) expect(bytes.includes(secret)).toBe(false)
  expect(await secretsOf(dir.path, 'vercel')).toEqual([secret])
})

test('a key that an earlier version has left is renamed at the start, and its secrets are read with it', async () => {
  using dir = makeDir()
  const secret = 'kept since an earlier version'
  await create(dir.path, { platform: 'vercel', secret })
  const [former, present] = ['integrations.key', 'encryption.key'].map((name) => join(dir.path, name)) as [string, string]
  const key = readFileSync(present, 'utf8')
  renameSync(present, former)
  await using started = await startService({ dataDir: dir.path })
  const webhook = signVercel(vercelEvent('deployment.created', '2026-03-01T12:00:00Z'), secret)
  expect((await deliver(started, 'vercel', webhook)).status).toBe(200)
  expect([existsSync(former), readFileSync(present, 'utf8'), statSync(present).mode & 0o777]).toEqual([false, key, 0o600])
})

test('a key from the environment is used instead of a file, a new one beside it, and alone after `reseal`', async () => {
  using dir = makeDir()
  const [old, next] = ['ab'.repeat(32), 'cd'.repeat(32)]
  const keysAs = (keys: string) => ({ ANNOTATION_SERVICE_ENCRYPTION_KEY: keys })
  const secret = 'encrypted with the old key'
  await create(dir.path, { platform: 'vercel', secret }, keysAs(old))
  expect(existsSync(join(dir.path, 'encryption.key'))).toBe(false)
  const webhook = signVercel(vercelEvent('deployment.created', '2026-03-01T12:00:00Z'), secret)
  const properties = { customWebhook: { url: 'https://hooks.example/encrypted-with-the-new-key' } }
  {
    await using both = await startService({ dataDir: dir.path, env: keysAs(`${next},${old}`) })
    expect((await deliver(both, 'vercel', webhook)).status).toBe(200)
    expect((await ask(both, 'POST', '/v2/notifiers', { body: { name: 'made meanwhile', properties } })).status).toBe(201)
  }
  const reseal = (keys: string) => runServiceCommand(['reseal', '--data', dir.path], keysAs(keys))
  expect((await reseal(`${old},short`)).stderr).toBe(
    'error: ANNOTATION_SERVICE_ENCRYPTION_KEY must hold 64 hexadecimal digits, as openssl rand -hex 32 prints them\n',
  )
  const before = await listStored(dir.path)
  expect((await reseal(next)).stderr).toContain('a key other than the present one')
  expect(await listStored(dir.path)).toEqual(before)
  expect((await reseal(`${next},${old}`)).stdout).toBe(`the first key opens all 2 secrets at ${dir.path} now\n`)
  await using after = await startService({ dataDir: dir.path, env: keysAs(next) })
  expect((await deliver(after, 'vercel', webhook)).status).toBe(200)
  const { body } = await ask<{ properties: object }[]>(after, 'GET', '/v2/notifiers')
  expect(body[0]?.properties).toMatchObject({ customWebhook: { url: expect.stringContaining('https://hooks.example/') } })
})

test.each<[string, Record<string, string>, string]>([
  ['no key', {}, 'there is no key for the secrets of integrations'],
  ['another key', { ANNOTATION_SERVICE_ENCRYPTION_KEY: 'cd'.repeat(32) }, 'encrypted with a key other than the present one'],
])('with %s the service runs and refuses webhooks, and the log says why, once', async (_, env, reason) => {
  using dir = makeDir()
  const secret = 'kept under a key that is elsewhere'
  const given = { ANNOTATION_SERVICE_ENCRYPTION_KEY: 'ab'.repeat(32) }
  await create(dir.path, { platform: 'vercel', secret }, given)
  const webhook = signVercel(vercelEvent('deployment.created', '2026-03-01T12:00:00Z'), secret)
  await using lacking = await startService({ dataDir: dir.path, env })
  for (let n = 0; n < 3; n++) expect((await deliver(lacking, 'vercel', webhook)).status).toBe(401)
  expect((await ask(lacking, 'GET', '/healthz', { token: null })).status).toBe(200)
  expect(warningsOf(lacking)).toEqual([
    expect.stringMatching(new RegExp(`^webhooks of integration int_\\w+ are refused: .*${reason}`)),
  ])
})

/** What is in the log for the operator. */
function warningsOf({ stderr }: { stderr: string }): string[] {
  const entries = stderr.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  return entries.flatMap(({ event, message }) => (event === 'warning' ? [message] : []))
}

test('where the key of the others is not at hand, none is encrypted with another, which would let no webhook in any more', async () => {
  using dir = makeDir()
  const env = { ANNOTATION_SERVICE_ENCRYPTION_KEY: 'ab'.repeat(32) }
  await create(dir.path, { platform: 'vercel', secret: 'kept under a key that is elsewhere' }, env)
  const before = await listStored(dir.path)
  for (const [other, reason] of [
    [{}, 'set ANNOTATION_SERVICE_ENCRYPTION_KEY'],
    [{ ANNOTATION_SERVICE_ENCRYPTION_KEY: 'cd'.repeat(32) }, 'a key other than the present one'],
  ] as const) {
    const { status, body } = await create(dir.path, { platform: 'github' }, other)
    expect([status, body.message]).toEqual([503, expect.stringContaining(reason)])
  }
  expect(await listStored(dir.path)).toEqual(before)
  expect(existsSync(join(dir.path, 'encryption.key'))).toBe(false)
})

/** As a service that starts there has them. */
async function secretsOf(dataDir: string, platform: PlatformName): Promise<string[]> {
  await using opened = await openTestRecords(dataDir)
  const registry = new IntegrationRegistry(opened.records, { dataDir, log: createLog(() => undefined) })
  await registry.load()
  return registry.ofPlatform(platform).map(({ secret }) => secret)
}

async function listStored(dataDir: string) {
  await using opened = await openTestRecords(dataDir)
  return await listIntegrations(opened.records.read)
}

test('an encrypted secret is decrypted with its key for its owner only, unchanged', () => {
  const [key, other] = [[Buffer.alloc(32, 1)], [Buffer.alloc(32, 2)]] as const
  const encrypted = encrypt('the secret ü', key, 'int_1')
  expect(decrypt(encrypted, key, 'int_1')).toBe('the secret ü')
  expect(encrypt('the secret ü', key, 'int_1')).not.toBe(encrypted)
  expect(decrypt(encrypted, [...other, ...key], 'int_1')).toBe('the secret ü')
  expect(() => decrypt(encrypted, other, 'int_1')).toThrow('a key other')
  expect(() => decrypt(encrypted, key, 'int_2')).toThrow('has been changed')
  for (const part of [2, 3]) {
    const parts = encrypted.split('.')
    parts[part] = Buffer.from(parts[part] as string, 'base64url')
      .fill(0, 0, 1)
      .toString('base64url')
    expect(() => decrypt(parts.join('.'), key, 'int_1')).toThrow('has been changed')
  }
  expect(() => decrypt('v9.a.b.c', key, 'int_1')).toThrow('does not know')
})

test('an integration that cannot be read is refused, and the others are not', async () => {
  const secrets = ['a secret that worked before', 'a secret that goes on working'] as const
  const [damaged] = [await makeIntegration(service, 'generic', { secret: secrets[0] })]
  await makeIntegration(service, 'generic', { secret: secrets[1] })
  const status = async (secret: string) => (await deliver(service, 'generic', signGeneric(newEvent(), secret))).status
  expect([await status(secrets[0]), await status(secrets[1])]).toEqual([200, 200])
  const database = new DatabaseSync(join(service.dataDir, 'records.db'), { timeout: 10_000 })
  database.exec(`UPDATE integrations SET encrypted_secret = 'v9.a.b.c' WHERE id = '${damaged}'`)
  database.exec("UPDATE versions SET version = version + 1 WHERE kind = 'integrations'")
  database.close()
  expect([await status(secrets[0]), await status(secrets[1])]).toEqual([401, 200])
  expect(warningsOf(service)).toEqual([
    `webhooks of integration ${damaged} are refused: the secret of ${damaged} is encrypted in a form that this program does not know`,
  ])
})

test('integrations made at the same moment are all kept, under one key', async () => {
  using dir = makeDir()
  await using started = await startService({ dataDir: dir.path })
  const secrets = ['a', 'b', 'c', 'd'].map((name) => `a secret of sixteen and more: ${name}`)
  await Promise.all(secrets.map((secret) => makeIntegration(started, 'generic', { secret })))
  expect((await secretsOf(dir.path, 'generic')).sort()).toEqual(secrets)
})
