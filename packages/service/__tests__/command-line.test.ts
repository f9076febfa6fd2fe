import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from '@jest/globals'
import pg from 'pg'
import { testOnPostgres } from '../../../__tests__/support/databases.ts'
import { folderForTests, serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { startPostgres } from '../../../__tests__/support/postgres.ts'
import { NODE_24, runServiceCommand, startService, TEST_TOKEN } from '../../../__tests__/support/service.ts'
import { openEmbeddedEngine } from '../../event-store/src/embedded/embedded-engine.ts'
import { DATA_VERSION } from '../../event-store/src/tables/ownership.ts'
import { VERSION } from '../src/version.ts'
import { readCases } from './cases.ts'
import { ask } from './http.ts'

const CASES = readCases<{ refused: [args: string[], message: string][] }>(import.meta.url)

const parent = folderForTests('annotation-command-line')
const service = serviceForTests({ dataDir: join(parent, 'made') })

test('stdout has one line, which says the version of the service and where it is', () => {
  expect(service.stdout).toBe(`annotation service ${VERSION} ready at ${service.url}\n`)
  expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it with exit code 0', async (signal) => {
  await using one = await startService()
  await ask(one, 'GET', '/healthz')
  expect(await one.stop(signal)).toEqual({ exitCode: 0, signal: null })
  expect(one.stderr.split('\n').filter((line) => line && !line.startsWith('{'))).toEqual([])
})

test('SIGHUP ends it as SIGTERM does, and the log says what that signal was and how to outlive a terminal', async () => {
  await using one = await startService()
  expect(await one.stop('SIGHUP')).toEqual({ exitCode: 0, signal: null })
  expect(one.stderr).toMatch(/"level":"warn".*"message":"[^"]*the service was closed \(SIGHUP\)[^"]*setsid/)
})

test('an IPv6 address is written with brackets', async () => {
  await using one = await startService({ args: ['--host', '::1'] })
  expect(one.url).toMatch(/^http:\/\/\[::1\]:\d+$/)
  expect((await ask(one, 'GET', '/healthz')).status).toBe(200)
})

test('a data directory in use is refused, and the service that uses it goes on', async () => {
  const { exitCode, stdout, stderr } = await runServiceCommand(['--port', '0', '--data', service.dataDir, '--token', TEST_TOKEN])
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toContain(
    `error: the data directory ${service.dataDir} is in use by process ${service.pid}; stop it, or choose another with --data\n`,
  )
  expect((await ask(service, 'GET', '/v2/annotations')).status).toBe(200)
})

test('a port in use is refused, naming host and port', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as AddressInfo
  const dataDir = join(parent, 'port-in-use')
  const { exitCode, stdout, stderr } = await runServiceCommand(['--port', String(port), '--data', dataDir])
  taken.close()
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toBe(
    `error: cannot listen on 127.0.0.1:${port}: the port is in use; choose another with --port, or 0 for any free one\n`,
  )
})

test('a data directory written by a newer version is refused, naming both versions', async () => {
  const dataDir = join(parent, 'newer')
  await (await startService({ dataDir })).stop()
  const engine = openEmbeddedEngine(join(dataDir, 'engine'))
  await engine.run('INSERT INTO schema_versions (version) VALUES (999)')
  await engine.close()
  const { exitCode, stderr } = await runServiceCommand(['--port', '0', '--data', dataDir])
  expect(exitCode).toBe(1)
  expect(stderr).toContain(`the data has version 999, but this program only knows versions up to ${DATA_VERSION}`)
})

test('records written by a newer version are refused, by the subcommands too, naming what is unknown', async () => {
  const dataDir = join(parent, 'newer-records')
  await runServiceCommand(['migrate', '--data', dataDir])
  const database = new DatabaseSync(join(dataDir, 'records.db'), { timeout: 10_000 })
  database.exec("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '')")
  database.exec("UPDATE settings SET value = '9998-before' WHERE name = 'lowest-version'")
  database.close()
  for (const args of [
    ['--port', '0'],
    ['token', 'list'],
  ]) {
    const { exitCode, stderr } = await runServiceCommand([...args, '--data', dataDir])
    expect(exitCode).toBe(1)
    expect(stderr).toContain('a newer version wrote the records (it made 9999-later, and this program knows only 0001-records')
  }
})

test('a token is made only where a service has been, and the place that was looked in is named', async () => {
  const absent = join(parent, 'never', 'there')
  const empty = mkdtempSync(join(parent, 'empty-'))
  const remedy = 'name the data directory of the service with --data, or its database with --postgres'
  for (const data of [absent, empty]) {
    const { exitCode, stdout, stderr } = await runServiceCommand(['token', 'create', '--personal', '--data', data])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(`error: there are no records in ${data}, so no service would know the token: ${remedy}`)
  }
  expect([existsSync(absent), readdirSync(empty)]).toEqual([false, []])
  const here = await runServiceCommand(['token', 'create', '--personal', '--data', relative('.', empty)])
  expect(here.stderr).toContain(`there are no records in ${empty}, `)
})

testOnPostgres('a token is made only in a database where a service has been, and no table is made in another', async () => {
  await using server = await startPostgres()
  const url = await server.createDatabase()
  const { host, pathname } = new URL(url)
  const create = () => runServiceCommand(['token', 'create', '--personal', '--data', parent, '--postgres', url])
  expect(await runServiceCommand(['token', 'list', '--postgres', url])).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  const { exitCode, stdout, stderr } = await create()
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toContain(`error: there are no records in postgres://${host}${pathname}, so no service would know the token`)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
  await client.end()
  expect(rows).toEqual([])
  expect(await runServiceCommand(['migrate', '--postgres', url])).toMatchObject({ exitCode: 0 })
  expect(await create()).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^xapt-/) })
})

test('the command of docs/recipes/token.md makes a token that the service takes', async () => {
  const page = readFileSync(new URL('../../../docs/recipes/token.md', import.meta.url), 'utf8')
  const command = /```sh\n(annotation-service token create .*?)```/s.exec(page)?.[1] ?? ''
  expect(command).toContain('--data /var/lib/annotation-service')
  const program = `annotation-service() { '${NODE_24}' packages/service/bin/annotation-service.cjs "$@"; }\n`
  const script = program + command.replace('/var/lib/annotation-service', service.dataDir)
  const { status, stdout } = spawnSync('bash', ['-ec', script], { encoding: 'utf8' })
  expect(status).toBe(0)
  const token = stdout.trim()
  expect((await ask(service, 'GET', '/v2/annotations', { token })).status).toBe(200)
  const body = { datasets: ['web'], type: 'deploy' }
  const made = await ask<{ id: string }>(service, 'POST', '/v2/annotations', { token, body })
  const changed = await ask(service, 'PUT', `/v2/annotations/${made.body.id}`, { token, body: { title: 'x' } })
  expect([made.status, changed.status]).toEqual([201, 200])
})

test('a URL of records that is none, or where nothing is, is refused without its password', async () => {
  const notOne = 'must be a URL of PostgreSQL: postgres://user:password@host:5432/database'
  for (const [url, reason] of [
    ['mysql://user:hidden@127.0.0.1/db', notOne],
    ['hidden', notOne],
    ['postgres://user:hidden@127.0.0.1:1/db', 'the records at postgres://127.0.0.1:1/db cannot be used: connect ECONNREFUSED'],
    ['postgres://127.0.0.1:1/hidden@db', 'the records at ***@db cannot be used: connect ECONNREFUSED'],
  ] as const) {
    const dataDir = join(parent, 'no-records')
    const tried = [
      await runServiceCommand(['--port', '0', '--data', dataDir, '--postgres', url]),
      await runServiceCommand(['token', 'list', '--data', dataDir], { ANNOTATION_SERVICE_POSTGRES: url }),
      await runServiceCommand(['token', 'list', '--data', dataDir, '--postgres', url]),
    ]
    for (const { exitCode, stdout, stderr } of tried) {
      expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 1, stdout: '', stderr: expect.stringContaining(reason) })
      expect(stderr).not.toContain('hidden')
    }
  }
})

test.each(CASES.refused)('%j is refused with what is wrong', async (args, message) => {
  const { exitCode, stdout, stderr } = await runServiceCommand(args)
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toContain(message)
  expect(stderr).not.toContain('hidden')
})

test('a token that no header can carry is refused without being shown', async () => {
  const { exitCode, stderr } = await runServiceCommand([
    '--port',
    '0',
    '--data',
    join(parent, 'bad-token'),
    '--token',
    'has blank',
  ])
  expect(exitCode).toBe(1)
  expect(stderr).toBe('error: the token is empty or contains a space, control or non-ASCII character\n')
})

test('a host that is not of this machine is refused', async () => {
  const { exitCode, stderr } = await runServiceCommand(['--host', '192.0.2.1', '--port', '0', '--data', join(parent, 'host')])
  expect(exitCode).toBe(1)
  expect(stderr).toContain('cannot listen on 192.0.2.1:0: the address does not belong to this machine')
})

test('a ClickHouse server that is not there is named, without its password', async () => {
  await using away = await startService({ args: ['--clickhouse', 'http://user:hidden@127.0.0.1:1/db'] })
  expect(away.stderr).toContain('the ClickHouse server at 127.0.0.1:1 cannot be reached (connect ECONNREFUSED 127.0.0.1:1)')
  expect(away.stderr).not.toContain('hidden')
})

test('a variable is read where its flag is not given, by the subcommands too, and an empty one is unset', async () => {
  const dataDir = join(parent, 'by-variable')
  const env = { ANNOTATION_SERVICE_DATA: dataDir, ANNOTATION_SERVICE_CLICKHOUSE: '' }
  expect(await runServiceCommand(['migrate'], env)).toMatchObject({ exitCode: 0 })
  expect(await runServiceCommand(['token', 'create', '--personal'], env)).toMatchObject({ exitCode: 0 })
  expect((await runServiceCommand(['token', 'list'], env)).stdout).toMatch(/^tok_\w+\tpersonal\t/)
  expect((await runServiceCommand(['token', 'list', '--data', join(parent, 'by-flag')], env)).stdout).toBe('')

  const server = { ...env, ANNOTATION_SERVICE_CLICKHOUSE: 'http://user:hidden@127.0.0.1:1/db' }
  await using away = await startService({ dataDir, env: server })
  expect(away.stderr).toContain('127.0.0.1:1 cannot be reached')
  expect(away.stderr).not.toContain('hidden')
})

test('help names every flag and subcommand', async () => {
  const { exitCode, stdout } = await runServiceCommand(['--help'])
  expect(exitCode).toBe(0)
  for (const word of ['--host', '--port', '--data', '--token', '--postgres', '--clickhouse', 'token', '8787', '127.0.0.1']) {
    expect(stdout).toContain(word)
  }
  expect((await runServiceCommand(['token', 'create', '--help'])).stdout).toContain('annotations|create')
})

test('the data directory is for its owner only', () => {
  expect(statSync(service.dataDir).mode & 0o777).toBe(0o700)
})
