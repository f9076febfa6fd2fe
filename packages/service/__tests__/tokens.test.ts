import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from '@jest/globals'
import Fastify from 'fastify'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { NODE_24, runServiceCommand, startService } from '../../../__tests__/support/service.ts'
import { isShared } from '../../../__tests__/support/shared-servers.ts'
import { addAuth } from '../src/http/auth.ts'
import { VERSION } from '../src/version.ts'
import { ask, create } from './http.ts'

/** What is about the file of the records. */
const testOnFile = isShared ? test.skip : test

const service = serviceForTests()

const tokenCommand = (...args: string[]) => runServiceCommand(['token', ...args, '--data', service.dataDir])
async function makeToken(...args: string[]): Promise<{ token: string; id: string }> {
  const { exitCode, stdout, stderr } = await tokenCommand('create', ...args)
  if (exitCode !== 0) throw new Error(stderr)
  return { token: stdout.trim(), id: /tok_[0-9a-f]{12}/.exec(stderr)?.[0] ?? '' }
}

test('a route that declares no permission cannot be registered', () => {
  const app = Fastify()
  const nothing = async () => undefined
  const caches = { refresh: nothing, refreshLately: nothing, expire: () => undefined }
  addAuth(app, { tokens: { find: () => undefined }, caches, limitWrongTokens: nothing, now: Date.now })
  expect(() => app.get('/forgotten', async () => 'anything')).toThrow('/forgotten declares no permission')
})

test('the token is refused before anything else is judged', async () => {
  const answer = await ask(service, 'POST', '/v2/annotations', {
    token: 'wrong',
    body: '{',
    headers: { 'content-type': 'text/plain' },
  })
  expect(answer.status).toBe(401)
})

test('the scheme is read in any case', async () => {
  const headers = { authorization: `bearer  ${service.token}` }
  expect((await ask(service, 'GET', '/v2/annotations', { token: null, headers })).status).toBe(200)
})

test('list shows ids, names and permissions, and nothing that lets anybody in', async () => {
  const { token, id } = await makeToken('--name', 'CI\n\u001b[2J', '--permission', 'annotations|create', 'annotations|update')
  const { exitCode, stdout } = await tokenCommand('list')
  expect(exitCode).toBe(0)
  const line = stdout.split('\n').find((text) => text.startsWith(id))
  expect(line).toMatch(/^tok_\w+\tapi\t\S+\t"CI\\n\\u001b\[2J"\tannotations\|create,annotations\|update$/)
  expect(stdout).not.toContain(token.slice(5, 20))
  expect(stdout).not.toMatch(/[0-9a-f]{64}/)
})

test('an unknown permission is an error that lists the valid ones', async () => {
  const { exitCode, stderr, stdout } = await tokenCommand('create', '--permission', 'annotations|write')
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toContain('"annotations|write" is not a permission; valid are annotations|create, annotations|read')
})

test('a token is made with permissions or personal, not both and not neither', async () => {
  for (const args of [[], ['--personal', '--permission', 'query|read']]) {
    expect(await tokenCommand('create', ...args)).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('--personal'),
    })
  }
})

testOnFile('where the records cannot be written, they stay as they were, and that is said', async () => {
  const before = (await tokenCommand('list')).stdout
  // Files of so few bytes stand for a disk that is full.
  const limited = `trap '' XFSZ; ulimit -f 1; exec "$@"`
  const command = [
    NODE_24,
    'packages/service/bin/annotation-service.cjs',
    'token',
    'create',
    '--personal',
    '--data',
    service.dataDir,
  ]
  expect(() => execFileSync('bash', ['-c', limited, 'bash', ...command], { stdio: 'pipe' })).toThrow('the disk is full')
  expect((await tokenCommand('list')).stdout).toBe(before)
  expect((await ask(service, 'GET', '/v2/annotations')).status).toBe(200)
})

testOnFile('the records have hashes only, and are for their owner only', async () => {
  const { token, id } = await makeToken('--personal')
  const files = readdirSync(service.dataDir).filter((name) => name.startsWith('records.db'))
  expect(files).toContain('records.db')
  const bytes = Buffer.concat(files.map((name) => readFileSync(join(service.dataDir, name))))
  for (const name of files) expect([name, statSync(join(service.dataDir, name)).mode & 0o777]).toEqual([name, 0o600])
  expect(bytes.includes(id)).toBe(true)
  expect(bytes.includes(token.slice(5))).toBe(false)
  expect(bytes.includes(service.token)).toBe(false)
})

testOnFile(
  'records that became unreadable let nobody in, not even the token given at start, and say when to try again',
  async () => {
    await using broken = await startService()
    const database = new DatabaseSync(join(broken.dataDir, 'records.db'), { timeout: 10_000 })
    database.exec('DROP TABLE versions')
    database.close()
    for (const token of [broken.token, 'unknown']) {
      const answer = await ask(broken, 'GET', '/v2/annotations', { token })
      expect(answer).toMatchObject({
        status: 503,
        body: { code: 503, message: 'the records cannot be read; try again in a moment' },
      })
      expect(answer.headers.get('retry-after')).toBe('2')
    }
    expect(broken.stderr).toContain('no such table: versions')
    expect((await ask(broken, 'GET', '/healthz', { token: null })).status).toBe(503)
    expect((await ask(broken, 'GET', '/', { token: null })).status).toBe(200)
  },
)

testOnFile('a list of tokens that are nowhere makes no records', async () => {
  const dataDir = join(service.dataDir, 'nowhere')
  expect(await runServiceCommand(['token', 'list', '--data', dataDir])).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  expect((await runServiceCommand(['token', 'revoke', 'tok_1', '--data', dataDir])).stderr).toBe(
    `error: there is no token "tok_1" in ${dataDir}\n`,
  )
  expect(existsSync(dataDir)).toBe(false)
})

test('without a token given or stored one is made, printed once, and kept as a hash', async () => {
  await using first = await startService({ token: null })
  const token = /xapt-[0-9a-f]{64}/.exec(first.stderr)?.[0] ?? ''
  expect(first.stdout).toBe(`annotation service ${VERSION} ready at ${first.url}\n`)
  expect((await create({ url: first.url, token })).status).toBe(201)
  await first.stop()
  await using second = await startService({ token: null, dataDir: first.dataDir })
  expect(second.stderr).not.toContain('xapt-')
  expect((await create({ url: second.url, token })).status).toBe(201)
  await second.stop()
  expect(() => execFileSync('grep', ['-rlF', token, first.dataDir])).toThrow()
})

test('a token given by flag is accepted for that run and never written', async () => {
  const token = 'my-own-token-of-this-run'
  await using given = await startService({ token: null, args: ['--token', token] })
  expect((await create({ url: given.url, token })).status).toBe(201)
  expect(given.stdout + given.stderr).not.toContain(token)
  expect(() => execFileSync('grep', ['-rlF', token, given.dataDir])).toThrow()
})
