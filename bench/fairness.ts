/**
 * `node bench/fairness.ts [rounds]`: what one caller's storm costs another caller; 0 rounds leave that out. Requests of one token are
 * timed alone and beside storms of another, in turn, so that the ratios hold on a busy machine too; then what strangers who read no
 * answers do to the service. Prints tables for docs/performance.md; exits 1 where a target is missed.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startService } from '../__tests__/support/service.ts'
import { type Client, createClient, makeEvent, quantile, rssMb, type Sent } from './ingest-load.ts'

const ROUNDS = Number(process.argv[2] ?? 3)
const MEASURED_MS = 5_000
const TIMES_MAX = 5
const START = Date.parse('2026-01-31T00:00:00Z')
const RANGE = { startTime: '2026-01-01T00:00:00Z', endTime: '2027-01-01T00:00:00Z' }

const STORMS: readonly [what: string, parts: readonly [kind: string, clients: number][]][] = [
  ['200 slow queries', [['slow', 200]]],
  ['40 clients that send events', [['ingest', 40]]],
  ['40 clients that ask', [['query', 40]]],
  [
    'both',
    [
      ['ingest', 40],
      ['query', 40],
    ],
  ],
]

const MEASURED: Readonly<Record<string, (client: Client, n: number) => Promise<Sent>>> = {
  'create of an annotation': (client, n) =>
    client.post('/v2/annotations', Buffer.from(JSON.stringify({ datasets: ['other'], type: 'deploy', title: `${n}` }))),
  'small query': (client, n) =>
    client.post(
      '/v1/datasets/_apl?format=tabular',
      Buffer.from(JSON.stringify({ apl: `['other'] | where status == ${200 + (n % 300)} | count`, ...RANGE })),
    ),
  'GET /v2/user': (client) => client.get('/v2/user'),
}

await using service = await startService()
const own = createClient(service, 1)
await fill('big', 100_000)
await fill('other', 2_000)
const stormy = await makeToken()
let isMissed = false
if (ROUNDS > 0) await measureStorms()
await measureStrangers()
own.close()
if (isMissed) process.exitCode = 1

async function measureStorms(): Promise<void> {
  console.log(`| beside, of another token | ${Object.keys(MEASURED).join(' | ')} | answers to the storm |`)
  console.log(`|---|${'---|'.repeat(Object.keys(MEASURED).length + 1)}`)
  await measure()
  for (const [what, parts] of STORMS) {
    const rounds: { alone: Times; beside: Times }[] = []
    const became: Record<string, number> = {}
    for (let round = 0; round < ROUNDS; round++) {
      const alone = await measure()
      const children = parts.map(([kind, clients]) => storm(kind, clients))
      await sleep(1_500)
      const beside = await measure()
      for (const child of children)
        for (const [status, count] of Object.entries(await endStorm(child))) became[status] = (became[status] ?? 0) + count
      rounds.push({ alone, beside })
      // Until the engine has ended what nobody waits for.
      await sleep(2_500)
    }
    const cells = Object.keys(MEASURED).map((name) => describe(name, rounds))
    const answers = Object.entries(became).map(([status, count]) => `${count} × ${status}`)
    console.log(`| ${what} | ${cells.join(' | ')} | ${answers.join(', ')} |`)
  }
}

type Times = Readonly<Record<string, readonly number[]>>

/** Times of each kind of request, one after the other. */
async function measure(): Promise<Times> {
  const times: Record<string, number[]> = {}
  const endMs = performance.now() + MEASURED_MS
  for (let n = 0; performance.now() < endMs; n++) {
    for (const [name, ask] of Object.entries(MEASURED)) {
      const { status, ms, text } = await ask(own, n)
      if (status >= 300) throw new Error(`${name}: ${status} ${text}`)
      times[name] ??= []
      times[name].push(ms)
    }
    await sleep(10)
  }
  return times
}

function describe(name: string, rounds: readonly { alone: Times; beside: Times }[]): string {
  const medianOf = (which: 'alone' | 'beside', share: number) =>
    quantile(
      rounds.map((round) => quantile(round[which][name] ?? [], share)),
      0.5,
    )
  const times = medianOf('beside', 0.5) / medianOf('alone', 0.5)
  if (times > TIMES_MAX) isMissed = true
  const ms = (which: 'alone' | 'beside') => `${medianOf(which, 0.5).toFixed(1)}`
  return `${times.toFixed(1)} × (${ms('alone')} → ${ms('beside')} ms; p95 ${medianOf('beside', 0.95).toFixed(0)} ms)${times > TIMES_MAX ? ' MISS' : ''}`
}

function storm(kind: string, clients: number): ChildProcess {
  const path = fileURLToPath(import.meta.resolve('./fairness-storm.ts'))
  return fork(path, [service.url, stormy, kind, String(clients)], { serialization: 'advanced' })
}

async function endStorm(child: ChildProcess): Promise<Record<string, number>> {
  child.send('end')
  const [answers] = (await once(child, 'message')) as [Record<string, number>]
  return answers
}

/** Strangers send many requests at once and leave, or stay and read nothing; then callers do so with lists of a megabyte. */
async function measureStrangers(): Promise<void> {
  console.log('\n| what | next `GET /v2/user` | more memory |\n|---|---|---|')
  const GET = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
  await attack('20 connections, 1,000 requests each, gone after 1 s', 20, GET('/openapi.json').repeat(1_000), true)
  await attack('50 connections, 200 requests each, nobody reads', 50, GET('/openapi.json').repeat(200), false)
  const chunks = `Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(10_000)}`
  await attack(
    '500 connections, a body of 10,000 chunks of a byte',
    500,
    `POST /v1/logs HTTP/1.1\r\nHost: localhost\r\n${chunks}`,
    false,
  )
  await fillAnnotations()
  const bearer = `Authorization: Bearer ${stormy}\r\n`
  const lists = GET('/v2/annotations?datasets=large', bearer)
  await attack('10 connections, a list of 1 MB each, nobody reads', 10, lists, false)
  await attack('2,000 connections, a list of 1 MB each, nobody reads', 2_000, lists, false)
}

async function attack(what: string, connections: number, requests: string, areGone: boolean): Promise<void> {
  const before = rssMb(service.pid)
  let [most, longestMs] = [0, 0]
  const sockets: Socket[] = []
  for (let n = 0; n < connections; n++) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.on('error', () => undefined).write(requests)
    sockets.push(areGone ? socket.resume() : socket.pause())
  }
  for (let round = 0; round < 15; round++) {
    await sleep(areGone && round === 0 ? 1_000 : 300)
    if (areGone) for (const socket of sockets) socket.destroy()
    longestMs = Math.max(longestMs, (await own.get('/v2/user')).ms)
    most = Math.max(most, rssMb(service.pid) - before)
  }
  for (const socket of sockets) socket.destroy()
  const isMet = longestMs <= 1_000 && most <= 256
  if (!isMet) isMissed = true
  console.log(`| ${what} | at most ${longestMs.toFixed(0)} ms | ${most.toFixed(0)} MB${isMet ? '' : ' MISS'} |`)
  await sleep(1_000)
}

async function fill(dataset: string, events: number): Promise<void> {
  for (let from = 0; from < events; from += 5_000) {
    const lines = Array.from({ length: Math.min(5_000, events) }, (_, i) => makeEvent(from + i, START))
    const { status, text } = await own.post(`/v1/ingest/${dataset}`, Buffer.from(lines.join('\n')), 'application/x-ndjson')
    if (status !== 200) throw new Error(`${status} ${text}`)
  }
}

/** Annotations whose list is a megabyte. */
async function fillAnnotations(): Promise<void> {
  const body = Buffer.from(JSON.stringify({ datasets: ['large'], type: 'deploy', description: 'x'.repeat(500) }))
  const client = createClient(service, 32)
  const created = await Promise.all(Array.from({ length: 1_600 }, () => client.post('/v2/annotations', body)))
  client.close()
  const { text } = await own.get('/v2/annotations?datasets=large')
  const isLarge = text.length > 1_000_000
  if (!isLarge) throw new Error(`the list has ${text.length} bytes: ${created.find(({ status }) => status !== 201)?.text}`)
}

async function makeToken(): Promise<string> {
  const body = { name: 'stormy', permissions: ['query|read', 'ingest|create', 'annotations|read'] }
  const { text } = await own.post('/v2/tokens', Buffer.from(JSON.stringify(body)))
  const { token } = JSON.parse(text) as { token?: string }
  if (token === undefined) throw new Error(text)
  return token
}
