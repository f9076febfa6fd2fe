/**
 * The tests' own PostgreSQL server: what it promises to the tests that use it; and how the records wait for one.
 */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { sql } from 'kysely'
import pg from 'pg'
import { testOnPostgres } from '../../../__tests__/support/databases.ts'
import { freePort } from '../../../__tests__/support/free-port.ts'
import { hasPostgres, startPostgres } from '../../../__tests__/support/postgres.ts'
import { openRecords } from '../src/open-records.ts'

const ask = async (connectionString: string, text: string) => {
  const client = new pg.Client({ connectionString })
  await using ending = new AsyncDisposableStack()
  ending.defer(() => client.end())
  await client.connect()
  return (await client.query(text)).rows
}

testOnPostgres('it syncs what is committed, and leaves no process and no file', async () => {
  await using server = await startPostgres()
  expect(await ask(server.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }])
  const [{ data_directory: directory }] = await ask(server.url, 'SHOW data_directory')
  expect(processesNaming(directory)).not.toEqual([])
  await server[Symbol.asyncDispose]()
  expect([existsSync(directory), processesNaming(directory)]).toEqual([false, []])
})

testOnPostgres('a database holds nothing of another', async () => {
  await using server = await startPostgres()
  const first = await server.createDatabase()
  await ask(first, 'CREATE TABLE one (n bigint)')
  expect(await ask(first, 'SELECT * FROM one')).toEqual([])
  await expect(ask(await server.createDatabase(), 'SELECT * FROM one')).rejects.toThrow('relation "one" does not exist')
})

testOnPostgres('the password is asked for, and not told to the log', async () => {
  await using server = await startPostgres()
  await expect(ask(server.url.replace(server.password, 'guessed'), 'SELECT 1')).rejects.toThrow('password authentication failed')
  expect(server.log).toContain('password authentication failed')
  expect(server.log).not.toContain(server.password)
})

testOnPostgres('what is committed outlives a stop and a crash, at the same address', async () => {
  await using server = await startPostgres()
  await ask(server.url, 'CREATE TABLE kept (n bigint)')
  for (const end of ['stop', 'kill'] as const) {
    await ask(server.url, 'INSERT INTO kept VALUES (9223372036854775807)')
    await server[end]()
    await expect(ask(server.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED')
    await server.start()
  }
  expect(await ask(server.url, 'SELECT n FROM kept')).toEqual([{ n: '9223372036854775807' }, { n: '9223372036854775807' }])
  expect(server.log).toContain('was not properly shut down')
})

testOnPostgres('while it is paused it answers nothing, and afterwards everything', async () => {
  await using server = await startPostgres()
  server.pause()
  const answer = ask(server.url, 'SELECT 1 AS n')
  expect(await Promise.race([answer, sleep(300, 'silence')])).toBe('silence')
  server.resume()
  expect(await answer).toEqual([{ n: 1 }])
})

testOnPostgres('records are opened when the server, busy for longer than a connection may take, has time', async () => {
  await using server = await startPostgres()
  const url = new URL(await server.createDatabase())
  server.pause()
  const opening = openRecords('', url)
  expect(await Promise.race([opening, sleep(6_000, 'silence')])).toBe('silence')
  server.resume()
  const records = await opening
  await records.check()
  await records.close()
})

testOnPostgres('with TLS it vouches for itself, and refuses what is not encrypted', async () => {
  await using server = await startPostgres({ tls: true })
  expect(await ask(await server.createDatabase(), 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')).toEqual([
    { ssl: true },
  ])
  await expect(ask(server.url.replace(/\?.*/, ''), 'SELECT 1')).rejects.toThrow('no encryption')
  await expect(ask(server.url.replace(/&sslrootcert=.*/, ''), 'SELECT 1')).rejects.toThrow('self-signed certificate')
})

testOnPostgres('records are read and written over TLS, from a server whose certificate is known', async () => {
  await using server = await startPostgres({ tls: true })
  const url = await server.createDatabase()
  const records = await openRecords('', new URL(url))
  await records.transaction((db) => db.insertInto('settings').values({ name: 'over', value: 'TLS' }).execute())
  expect(await records.read.selectFrom('settings').select('value').where('name', '=', 'over').execute()).toEqual([
    { value: 'TLS' },
  ])
  await records.close()
  const unknown = new URL(url.replace(/&sslrootcert=.*/, ''))
  await expect(openRecords('', unknown)).rejects.toThrow(
    /^the records at postgres:\/\/\S+ cannot be used: .*self-signed certificate/,
  )
})

function processesNaming(path: string): string[] {
  return globSync('/proc/[0-9]*/cmdline').filter((file) => {
    try {
      return readFileSync(file, 'utf8').includes(path)
    } catch {
      return false
    }
  })
}

const POOLER = '/usr/sbin/pgbouncer'
const testOnPooler = hasPostgres && existsSync(POOLER) ? test : test.skip

testOnPooler('PgBouncer with its defaults is enough, and a statement of a transaction still ends in time', async () => {
  await using server = await startPostgres()
  const url = new URL(await server.createDatabase())
  using folder = mkdtempDisposableSync(join(tmpdir(), 'records-pooler-'))
  const port = await freePort()
  writeFileSync(join(folder.path, 'users'), `"${url.username}" "${server.password}"\n`)
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    auth_type: 'scram-sha-256',
    auth_file: join(folder.path, 'users'),
    pool_mode: 'transaction',
    unix_socket_dir: '',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const databases = `[databases]\n* = host=127.0.0.1 port=${server.port}\n`
  writeFileSync(join(folder.path, 'settings'), `${databases}[pgbouncer]\n${lines.join('\n')}\n`)
  chmodSync(folder.path, 0o755)
  // It does not run as root.
  const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const pooler = spawn(POOLER, [join(folder.path, 'settings')], { stdio: 'ignore', ...asNobody })
  using ending = new DisposableStack()
  ending.defer(() => pooler.kill('SIGKILL'))
  url.port = String(port)
  const records = await until(() => openRecords('', url))
  const { rows } = await records.transaction((db) => sql`show statement_timeout`.execute(db))
  expect(rows).toEqual([{ statement_timeout: '10s' }])
  const counts = await Promise.all(
    Array.from({ length: 40 }, (_, i) => records.transaction((db) => sql<{ n: number }>`select ${i}::int as n`.execute(db))),
  )
  expect(counts.map((one) => one.rows[0]?.n)).toEqual(Array.from({ length: 40 }, (_, i) => i))
  await records.close()
})

async function until<T>(task: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await task()
    } catch (error) {
      if (tries === 50) throw error
      await sleep(100)
    }
  }
}
