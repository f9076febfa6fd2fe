/**
 * The store on a ClickHouse server: the same SQL text, over HTTP. The server is the one inside the embedded engine's library,
 * started as a process of its own by a few lines of Python, because no other is at hand on a bare machine.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type RunningService, startService } from '../support/service.ts'
import { ask, change, create, created, get, list, remove } from './http.ts'

const PYTHON = '/usr/bin/python3'
const LAUNCHER = `
import ctypes, sys
library = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
arguments = [a.encode() for a in ['clickhouse'] + sys.argv[2:]]
library.chdb_query_cmdline(len(arguments), (ctypes.c_char_p * (len(arguments) + 1))(*arguments, None))
`
// Keeps the process busy without work; the listener lives as long as the query.
const SERVE = `SYSTEM START LISTEN HTTP; SELECT sleepEachRow(3) FROM numbers(100)
SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0 FORMAT Null`

const library = findLibrary()
const possible = library !== undefined && existsSync(PYTHON)
const testOnServer = possible ? test : test.skip
if (!possible) console.warn(`skipped: the ClickHouse server of these tests needs ${PYTHON} and the chDB library for Linux`)

let directory: string
let server: ChildProcess | undefined
let service: RunningService
let url: string

beforeAll(async () => {
  if (!possible) return
  directory = mkdtempSync(join(tmpdir(), 'annotation-clickhouse-'))
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const flags = [`--path=${directory}`, '--listen_host=127.0.0.1', `--http_port=${port}`, '--query', SERVE]
  server = spawn(PYTHON, ['-c', LAUNCHER, library, ...flags], { stdio: 'ignore' })
  for (let waitedMs = 0; !(await answers(url)); waitedMs += 100) {
    if (waitedMs > 20_000) throw new Error('the ClickHouse server did not start')
    await setTimeout(100)
  }
  service = await startService({ args: ['--clickhouse', url] })
})

afterAll(async () => {
  if (!server) return
  await service?.[Symbol.asyncDispose]()
  server.kill('SIGKILL')
  await once(server, 'close')
  rmSync(directory, { recursive: true, force: true })
})

testOnServer('annotations are created, read, changed and deleted there', async () => {
  const sent = {
    datasets: ['web', 'api'],
    time: '1969-12-31T23:59:59.999999999Z',
    endTime: '2262-04-11T23:47:16.854775807Z',
    title: "it's a \\N title",
    description: '😀\n\t{id:String}',
    type: 'deploy',
    url: 'https://example.org/?a=b&c=d',
  }
  const { id } = await created(service, sent)
  expect((await get(service, id)).body).toEqual({ id, ...sent })
  expect((await change(service, id, { title: 'changed', url: '' })).status).toBe(200)
  const { url: _, ...rest } = sent
  expect((await get(service, id)).body).toEqual({ id, ...rest, title: 'changed' })
  expect((await list(service, '?start=2026-01-01&end=2026-01-02&datasets=api,none')).body.map((one) => one.id)).toEqual([id])
  expect((await remove(service, id)).status).toBe(204)
  expect((await get(service, id)).status).toBe(404)
})

testOnServer('any text comes back as it was sent, created and changed', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.constantFrom('\\N', '\\', "'", '\t\n\r\b\f\v\0', ';\n\n;'),
  )
  await fc.assert(
    fc.asyncProperty(text, text, async (first, second) => {
      const { id } = await created(service, { title: first })
      await change(service, id, { description: second })
      const { title = '', description = '' } = (await get(service, id)).body
      expect([title, description]).toEqual([first, second])
    }),
    { numRuns: 40 },
  )
})

testOnServer('changes of different members at the same moment all survive', async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = await created(service)
    const wanted = { title: `t${round}`, description: `d${round}`, url: `u${round}` }
    await Promise.all(Object.entries(wanted).map(([member, value]) => change(service, id, { [member]: value })))
    expect((await get(service, id)).body).toMatchObject(wanted)
  }
})

testOnServer('a repeated create is stored once, and what is there outlives the service', async () => {
  const headers = { 'Idempotency-Key': 'on the server' }
  const first = await create(service, { datasets: ['once'] }, { headers })
  await using second = await startService({ args: ['--clickhouse', url] })
  expect((await create(second, { datasets: ['once'] }, { headers })).body).toEqual(first.body)
  expect((await list(second, '?datasets=once')).body).toEqual([first.body])
  expect((await ask(second, 'GET', '/healthz')).status).toBe(200)
})

testOnServer('changes of different members through two services at the same moment all survive', async () => {
  await using second = await startService({ args: ['--clickhouse', url] })
  for (let round = 0; round < 10; round++) {
    const { id } = await created(service)
    const wanted = { title: `t${round}`, description: `d${round}`, url: `u${round}`, datasets: ['a', `b${round}`] }
    const through = [service, second]
    await Promise.all(
      Object.entries(wanted).map(([member, value], i) => change(through[i % 2] as RunningService, id, { [member]: value })),
    )
    expect((await get(second, id)).body).toMatchObject(wanted)
  }
})

function findLibrary(): string | undefined {
  const require = createRequire(createRequire(import.meta.url).resolve('chdb'))
  try {
    return join(dirname(require.resolve(`@chdb/lib-linux-${process.arch}-gnu/package.json`)), 'libchdb.so')
  } catch {
    return undefined
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

async function answers(address: string): Promise<boolean> {
  return fetch(`${address}/ping`).then(
    ({ ok }) => ok,
    () => false,
  )
}
