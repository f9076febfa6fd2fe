/** The service: a process of its own, asked over HTTP. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningService, startService } from '../../__tests__/support/service.ts'
import { openEmbeddedEngine } from '../../packages/event-store/src/embedded/embedded-engine.ts'
import { type Client, createClient } from '../ingest-load.ts'
import { END_MS, START_MS } from './events.ts'
import type { Constants, Question } from './questions.ts'
import type { Row, System } from './system.ts'

const DATASET = 'events'
const CLIENTS = 8

interface Answer {
  readonly status: Readonly<Record<string, string>>
  readonly tables: readonly [{ readonly fields: readonly { name: string }[]; readonly columns: readonly (readonly unknown[])[] }]
}

export async function openService(dataDir: string): Promise<System> {
  let service = await startService({ dataDir })
  let client = createClient(service, CLIENTS)

  const ask = async (body: Readonly<Record<string, unknown>>): Promise<Answer> => {
    const { status, text } = await client.post('/v1/datasets/_apl?format=tabular', Buffer.from(JSON.stringify(body)))
    if (status !== 200) throw new Error(`the service answered ${status} ${text}`)
    return JSON.parse(text) as Answer
  }

  return {
    name: 'this service',
    version: commit(),
    promise: 'the files of the events and their folder synced',
    writers: CLIENTS,
    insert: (body) => ingest(client, body),
    async settle() {
      if (process.env.MERGED === '1') {
        client.close()
        await service.stop()
        await merge(dataDir)
        service = await startService({ dataDir })
        client = createClient(service, CLIENTS)
      }
      await untilIndexed(ask)
      return untilAtRest(service)
    },
    async prepare(question, constants) {
      const body = bodyOf(question, constants)
      const after = question.after?.(constants)
      if (after === undefined) return async () => rowsOf(await ask(body))
      // A page continues behind the last row of the one before.
      const { status } = await ask({ ...body, apl: `['${DATASET}'] | where _time == datetime(${after}) | limit 1` })
      return async () => rowsOf(await ask({ ...body, cursor: status.minCursor }))
    },
    async [Symbol.asyncDispose]() {
      client.close()
      await service[Symbol.asyncDispose]()
    },
  }
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return 'not from a repository'
  }
}

async function ingest(client: Client, body: Buffer): Promise<void> {
  const { status, text } = await client.post(`/v1/datasets/${DATASET}/ingest`, body)
  if (status !== 200 || !text.includes('"failed":0')) throw new Error(`the service answered ${status} ${text.slice(0, 300)}`)
}

function bodyOf(question: Question, constants: Constants): Record<string, unknown> {
  return {
    apl: `['${DATASET}'] ${question.apl(constants)}`,
    startTime: question.from?.(constants) ?? new Date(START_MS).toISOString(),
    endTime: new Date(END_MS).toISOString(),
    countMatches: question.countsMatches ?? false,
  }
}

/** It is given indexes once it has so many events. */
const INDEXED_EVENTS_MIN = 100_000
const INDEXED_MS_MAX = 600_000

/** As after a while: until a value that is not there is not looked for in all events. */
async function untilIndexed(ask: (body: Readonly<Record<string, unknown>>) => Promise<Answer>): Promise<void> {
  const span = { startTime: new Date(START_MS).toISOString(), endTime: new Date(END_MS).toISOString() }
  const total = rowsOf(await ask({ apl: `['${DATASET}'] | summarize n = count()`, ...span }))[0]?.n as number
  if (total < INDEXED_EVENTS_MIN) return
  for (let turn = 0, endMs = performance.now() + INDEXED_MS_MAX; ; turn++) {
    const { status } = await ask({ apl: `['${DATASET}'] | where trace_id == 'absent ${turn}' | summarize count()`, ...span })
    if (Number(status.rowsExamined) < total / 10) return
    if (performance.now() > endMs) throw new Error(`the events have no index after ${INDEXED_MS_MAX} ms`)
    await sleep(1_000)
  }
}

/** Upkeep merges and indexes what has been at rest for 45 s, and looks each half a minute. */
const REST_MS = 120_000
const REST_EVENTS_MIN = INDEXED_EVENTS_MIN

/** As a dataset is that nobody sends events to: until its parts stay as they are. @returns bytes on disk */
async function untilAtRest({ url, token }: RunningService): Promise<number> {
  const stored = async (of: string) => {
    const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    return Number(new RegExp(`_stored\\{of="${of}"\\} (\\S+)`).exec(await response.text())?.[1])
  }
  let [bytes, sinceMs] = [await stored('bytes'), performance.now()]
  if ((await stored('rows')) < REST_EVENTS_MIN) return bytes
  while (performance.now() - sinceMs < REST_MS) {
    await sleep(2_000)
    const now = await stored('bytes')
    if (now !== bytes) [bytes, sinceMs] = [now, performance.now()]
  }
  return bytes
}

function rowsOf({ tables: [{ fields, columns }] }: Answer): Row[] {
  const count = columns[0]?.length ?? 0
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(fields.map(({ name }, column) => [name, columns[column]?.[at]])),
  )
}

/** Everything in one part, which no dataset comes to by itself. */
async function merge(dataDir: string): Promise<void> {
  const engine = openEmbeddedEngine(join(dataDir, 'engine'))
  try {
    const ours = "database = currentDatabase() AND startsWith(name, 'events_')"
    const tables = await engine.select<{ name: string }>(`SELECT name FROM system.tables WHERE ${ours}`)
    for (const { name } of tables) await engine.run(`OPTIMIZE TABLE ${name} FINAL`)
  } finally {
    await engine.close()
  }
}
