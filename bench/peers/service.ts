/** The service: a process of its own, asked over HTTP. */
import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningService, startService } from '../../__tests__/support/service.ts'
import { openEmbeddedEngine } from '../../packages/event-store/src/embedded/embedded-engine.ts'
import { type Client, createClient } from '../support/client.ts'
import { QUIET_MS, rest } from '../support/sent-logs.ts'
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
  const stop = async () => {
    client.close()
    await service.stop()
  }
  const start = async () => {
    service = await startService({ dataDir })
    client = createClient(service, CLIENTS)
  }

  const ask = async (body: Readonly<Record<string, unknown>>): Promise<Answer> => {
    const { status, text } = await client.post('/v1/datasets/_apl?format=tabular', Buffer.from(JSON.stringify(body)))
    if (status !== 200) throw new Error(`the service answered ${status} ${text}`)
    return JSON.parse(text) as Answer
  }

  return {
    name: 'this service',
    version: commit(),
    promise: 'files of the events, or the log, and their folder synced',
    writers: CLIENTS,
    insert: (body) => ingest(client, body),
    async settle() {
      console.log(await rest(service))
      return await storedBytes(service)
    },
    async merged() {
      const copy = `${dataDir}-merged`
      await stop()
      cpSync(dataDir, copy, { recursive: true })
      await mergeAll(copy)
      await start()
      const system = await openService(copy)
      // Merges make no indexes; upkeep does.
      await sleep(Math.min(QUIET_MS, REINDEXED_MS))
      return { ...system, name: 'the service, merged' }
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

/** Upkeep indexes what has been at rest for 45 s, and looks each half a minute. */
const REINDEXED_MS = 150_000

async function storedBytes({ url, token }: RunningService): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  return Number(/_stored\{kind="bytes"\} (\S+)/.exec(await response.text())?.[1])
}

function rowsOf({ tables: [{ fields, columns }] }: Answer): Row[] {
  const count = columns[0]?.length ?? 0
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(fields.map(({ name }, column) => [name, columns[column]?.[at]])),
  )
}

/** Everything in one part, which no dataset comes to by itself. */
async function mergeAll(dataDir: string): Promise<void> {
  const engine = openEmbeddedEngine(join(dataDir, 'engine'))
  try {
    const ours = "database = currentDatabase() AND startsWith(name, 'events_')"
    const tables = await engine.select<{ name: string }>(`SELECT name FROM system.tables WHERE ${ours}`)
    for (const { name } of tables) await engine.run(`OPTIMIZE TABLE ${name} FINAL`)
  } finally {
    await engine.close()
  }
}
