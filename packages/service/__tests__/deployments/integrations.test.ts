/**
 * The `integration` subcommand beside a running service, and what it leaves on disk.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { PlatformName } from '@deployment-annotations/contract/integration'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestRecords } from '../../../../__tests__/support/records.ts'
import { type RunningService, runServiceCommand, startService } from '../../../../__tests__/support/service.ts'
import { type IntegrationRecord, insertIntegration, listIntegrations } from '../../../records/src/integration-records.ts'
import { createLog } from '../../../runtime/src/log.ts'
import { decrypt, encrypt } from '../../src/automations/integrations/encryption.ts'
import { IntegrationRegistry } from '../../src/automations/integrations/registry.ts'
import { ask, get } from '../http.ts'
import { deliver, genericEvent, makeIntegration, signGeneric, signVercel, vercelEvent } from './webhooks.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** A data directory of a test's own. */
function makeDir(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), 'integrations-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
const run = (dataDir: string, args: readonly string[], input?: string, env = {}) =>
  runServiceCommand(['integration', ...args, '--data', dataDir], env, input)
const create = (dataDir: string, args: readonly string[], input?: string, env = {}) =>
  run(dataDir, ['create', '--datasets', 'web', ...args], input, env)

let count = 0
const newEvent = (members = {}) => genericEvent('started', '2026-03-01T12:00:00Z', { deployment: `d${++count}`, ...members })

test('a made secret is printed once, alone on stdout, and works from the next request on', async () => {
  const { exitCode, stdout, stderr } = await create(service.dataDir, ['--platform', 'generic', '--name', 'scripts'])
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n$/)
  expect(stderr).toMatch(
    /^created integration int_[0-9a-f]{12} \(scripts\) for POST \/v1\/integrations\/generic; it marks deployments to any environment on web\n/,
  )
  expect((await deliver(service, 'generic', signGeneric(newEvent(), stdout.trim()))).body.outcome).toBe('created')
})

test('the settings make the annotation, and changed settings the next one', async () => {
  const secret = 'settings of an integration'
  const args = [
    '--datasets',
    'api, jobs',
    '--type',
    'release',
    '--title',
    '{version} of {project}',
    '--environment',
    'Production',
  ]
  const id = await makeIntegration(service, 'generic', { secret, args })
  const send = async (members: object) => (await deliver(service, 'generic', signGeneric(newEvent(members), secret))).body
  const first = await send({})
  expect((await get(service, first.annotation ?? '')).body).toMatchObject({
    datasets: ['web', 'api', 'jobs'],
    type: 'release',
    title: 'v2.4.0 of shop',
  })
  expect((await send({ environment: 'staging' })).outcome).toBe('ignored')

  const changes = ['--title', 'Shop', '--type', 'deploy', '--datasets', 'web', '--environment', 'all', '--name', 'changed']
  expect(await run(service.dataDir, ['change', id, ...changes])).toMatchObject({ exitCode: 0, stderr: `changed ${id}\n` })
  const next = await send({ environment: 'staging' })
  expect((await get(service, next.annotation ?? '')).body).toMatchObject({ datasets: ['web'], type: 'deploy', title: 'Shop' })
  expect((await run(service.dataDir, ['list'])).stdout).toMatch(
    new RegExp(`^${id}\\tgeneric\\t\\S+\\t"changed"\\tweb\\tdeploy\\t"Shop"\\tall$`, 'm'),
  )
})

test('another secret counts at once, and the one before no more; deployments under way go on', async () => {
  const secret = 'the secret before the change'
  const id = await makeIntegration(service, 'generic', { secret })
  const event = newEvent()
  const first = (await deliver(service, 'generic', signGeneric(event, secret))).body
  const { stdout } = await run(service.dataDir, ['change', id, '--new-secret'])
  expect((await deliver(service, 'generic', signGeneric(event, secret))).status).toBe(401)
  expect((await deliver(service, 'generic', signGeneric(event, stdout.trim()))).body).toEqual({
    outcome: 'unchanged',
    annotation: first.annotation,
  })
  await run(service.dataDir, ['change', id, '--secret-stdin'], 'a third secret, typed in\n')
  expect((await deliver(service, 'generic', signGeneric(event, 'a third secret, typed in'))).status).toBe(200)
})

test('a removed integration is refused from the next request on, and its annotations stay', async () => {
  const secret = 'the secret of a removed one'
  const id = await makeIntegration(service, 'vercel', { secret })
  const webhook = signVercel(vercelEvent('deployment.created', '2026-03-01T12:00:00Z'), secret)
  const { annotation = '' } = (await deliver(service, 'vercel', webhook)).body
  expect(await run(service.dataDir, ['remove', id])).toMatchObject({ exitCode: 0, stderr: `removed ${id}\n` })
  expect((await deliver(service, 'vercel', webhook)).status).toBe(401)
  expect((await get(service, annotation)).status).toBe(200)
  expect(await run(service.dataDir, ['remove', id])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`there is no integration "${id}"`),
  })
})

test('vercel and netlify mark production unless told otherwise, github and generic all', async () => {
  using dir = makeDir()
  for (const platform of ['vercel', 'netlify', 'github', 'generic']) {
    await create(dir.path, ['--platform', platform, '--secret-stdin'], 'a secret for all of the platforms')
  }
  const lines = (await run(dir.path, ['list'])).stdout.trim().split('\n')
  expect(lines.map((line) => [line.split('\t')[1], line.split('\t').at(-1)])).toEqual([
    ['vercel', '"production"'],
    ['netlify', '"production"'],
    ['github', 'all'],
    ['generic', 'all'],
  ])
})

test.each<[string, string[], string | undefined, string]>([
  ['no platform', [], undefined, "required option '--platform <platform>' not specified"],
  ['another platform', ['--platform', 'heroku'], undefined, 'Allowed choices are vercel, github, netlify, generic'],
  ['Vercel without a secret', ['--platform', 'vercel'], undefined, 'vercel makes the secret itself; give it on stdin'],
  [
    'a short secret',
    ['--platform', 'vercel', '--secret-stdin'],
    'too short',
    'the secret must have 16 to 1024 characters, got 9',
  ],
  ['no secret on stdin', ['--platform', 'vercel', '--secret-stdin'], '', 'stdin ended before a secret was given'],
  ['a wrong type', ['--platform', 'generic', '--type', 'Deploy'], undefined, '"Deploy" is not a type'],
  ['a wrong dataset', ['--platform', 'generic', '--datasets', 'a b'], undefined, '"a b" is not the name of a dataset'],
  ['an empty dataset', ['--platform', 'generic', '--datasets', 'a,,b'], undefined, 'It must be names separated by commas'],
  [
    'an unknown placeholder',
    ['--platform', 'generic', '--title', '{projekt}'],
    undefined,
    'the title cannot have {projekt}; it may have {project}, {environment}',
  ],
  ['an empty title', ['--platform', 'generic', '--title', ' '], undefined, 'the title must have 1 to 256 characters'],
  ['a secret as a flag', ['--platform', 'generic', '--secret', 'x'], undefined, "unknown option '--secret'"],
])('%s is refused, and nothing is stored', async (_, args, input, message) => {
  using dir = makeDir()
  const { exitCode, stdout, stderr } = await create(dir.path, args, input)
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toContain(message)
  expect(await listStored(dir.path)).toEqual([])
})

test('datasets must be given', async () => {
  using dir = makeDir()
  expect(await run(dir.path, ['create', '--platform', 'generic'])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('--datasets'),
  })
})

test('two integrations of a platform cannot share a secret', async () => {
  using dir = makeDir()
  const secret = 'one secret for two of them'
  expect((await create(dir.path, ['--platform', 'github', '--secret-stdin'], secret)).exitCode).toBe(0)
  const again = await create(dir.path, ['--platform', 'github', '--secret-stdin'], secret)
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('has this secret already') })
  expect(again.stderr).not.toContain(secret)
  expect((await create(dir.path, ['--platform', 'generic', '--secret-stdin'], secret)).exitCode).toBe(0)
})

test('records and key are for their owner only, and neither the records nor the list have the secret', async () => {
  using dir = makeDir()
  const secret = 'nobody shall read this one'
  await create(dir.path, ['--platform', 'vercel', '--name', 'CI\n\u001b[2J', '--secret-stdin'], secret)
  const [file, key] = ['records.db', 'integrations.key'].map((name) => join(dir.path, name)) as [string, string]
  for (const path of [file, key]) expect(statSync(path).mode & 0o777).toBe(0o600)
  const { stdout } = await run(dir.path, ['list'])
  expect(stdout).toContain('"CI\\n\\u001b[2J"')
  for (const bytes of [readFileSync(file), Buffer.from(stdout)]) expect(bytes.includes(secret)).toBe(false)
  expect(await secretsOf(dir.path, 'vercel')).toEqual([secret])
})

test('a key from the environment is used instead of a file', async () => {
  using dir = makeDir()
  const env = { ANNOTATION_SERVICE_SEAL_KEY: 'ab'.repeat(32) }
  const secret = 'kept under a key that is elsewhere'
  await create(dir.path, ['--platform', 'vercel', '--secret-stdin'], secret, env)
  expect(existsSync(join(dir.path, 'integrations.key'))).toBe(false)
  await using started = await startService({ dataDir: dir.path, env })
  const webhook = signVercel(vercelEvent('deployment.created', '2026-03-01T12:00:00Z'), secret)
  expect((await deliver(started, 'vercel', webhook)).status).toBe(200)
  const unusable = await runServiceCommand(['--port', '0', '--data', dir.path], { ANNOTATION_SERVICE_SEAL_KEY: 'short' })
  expect(unusable.stderr).toBe(
    'error: ANNOTATION_SERVICE_SEAL_KEY must hold 64 hexadecimal digits, as openssl rand -hex 32 prints them\n',
  )
})

test.each<[string, Record<string, string>, string]>([
  ['no key', {}, 'there is no key for the secrets of integrations'],
  ['another key', { ANNOTATION_SERVICE_SEAL_KEY: 'cd'.repeat(32) }, 'encrypted with a key other than the present one'],
])('with %s the service runs and refuses webhooks, and the log says why, once', async (_, env, reason) => {
  using dir = makeDir()
  const secret = 'kept under a key that is elsewhere'
  const given = { ANNOTATION_SERVICE_SEAL_KEY: 'ab'.repeat(32) }
  await create(dir.path, ['--platform', 'vercel', '--secret-stdin'], secret, given)
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
  const env = { ANNOTATION_SERVICE_SEAL_KEY: 'ab'.repeat(32) }
  await create(dir.path, ['--platform', 'vercel', '--secret-stdin'], 'kept under a key that is elsewhere', env)
  const before = await listStored(dir.path)
  const tries = [
    [['create', '--platform', 'github', '--datasets', 'web'], {}, 'set ANNOTATION_SERVICE_SEAL_KEY'],
    [['create', '--platform', 'github', '--datasets', 'web'], { ANNOTATION_SERVICE_SEAL_KEY: 'cd'.repeat(32) }, 'a key other'],
    [['change', before[0]?.id ?? '', '--secret-stdin'], {}, 'there is no key for the secrets'],
  ] as const
  for (const [args, more, reason] of tries) {
    const flags = ['integration', ...args, '--data', dir.path]
    const tried = await runServiceCommand(flags, more, 'a secret that is long enough\n')
    expect(tried).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(reason) })
  }
  expect(await listStored(dir.path)).toEqual(before)
  expect(existsSync(join(dir.path, 'integrations.key'))).toBe(false)
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
  const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const encrypted = encrypt('the secret ü', key, 'int_1')
  expect(decrypt(encrypted, key, 'int_1')).toBe('the secret ü')
  expect(encrypt('the secret ü', key, 'int_1')).not.toBe(encrypted)
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
  const made = await Promise.all(['a', 'b', 'c', 'd'].map((name) => create(dir.path, ['--platform', 'generic', '--name', name])))
  expect((await secretsOf(dir.path, 'generic')).sort()).toEqual(made.map(({ stdout }) => stdout.trim()).sort())
})

test('there are at most 32 integrations of a platform', async () => {
  using dir = makeDir()
  expect((await create(dir.path, ['--platform', 'generic'])).exitCode).toBe(0)
  const [one] = await listStored(dir.path)
  {
    await using opened = await openTestRecords(dir.path)
    await opened.records.transaction(async (db) => {
      for (let n = 1; n < 32; n++) await insertIntegration(db, { ...(one as IntegrationRecord), id: `int_${n}` })
    })
  }
  // Under ids of their own none could be decrypted; it does not come to that.
  expect((await create(dir.path, ['--platform', 'generic'])).stderr).toBe(
    'error: there are 32 integrations of generic already, the most there can be; remove one\n',
  )
  expect(await listStored(dir.path)).toHaveLength(32)
})
