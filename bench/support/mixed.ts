/**
 * What people and programs do with a service at the same time: events by ones, hundreds and thousands, annotations from their create to
 * their end, lists, queries, health. Each kind is a loop of its own, and what was acknowledged is counted, to be compared with what is
 * there. No figures are judged here.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient, query, type Sent, type Target } from './client.ts'
import { makeEvent } from './events.ts'

export interface Answered {
  kind: string
  status: number
  ms: number
  /** Since the load began. */
  atMs: number
}

export interface Load {
  answers: Answered[]
  /** Events that were acknowledged. */
  acknowledged: number
  /** Ids of annotations that were created and not removed again. */
  kept: string[]
}

const DATASETS = 4
/** Of each kind, however slow they are; the first annotations stay. */
const ROUNDS_MIN = 2
const START = Date.parse('2026-01-31T00:00:00Z')

/** Runs all kinds side by side for so long. @param pauseMs of each kind between two requests */
export async function runMixedLoad(target: Target, seconds: number, pauseMs = 0): Promise<Load> {
  const client = createClient(target, 32)
  const load: Load = { answers: [], acknowledged: 0, kept: [] }
  const from = performance.now()
  const note = (kind: string, { status, ms }: Sent) =>
    void load.answers.push({ kind, status, ms, atMs: performance.now() - from })
  // Queries of a dataset that is not there yet would be answered 404.
  for (let round = 0; round < DATASETS; round++) await ingest(1)({ client, load, note, round })
  const loops = KINDS.map(async (kind) => {
    for (let round = 0; round < ROUNDS_MIN || performance.now() - from < seconds * 1_000; round++) {
      await kind({ client, load, note, round })
      if (pauseMs > 0) await sleep(pauseMs)
    }
  })
  await Promise.all(loops)
  client.close()
  return load
}

/** @returns how many events there are now */
export async function countEvents(target: Target): Promise<number> {
  const client = createClient(target, 1)
  let count = 0
  for (let i = 0; i < DATASETS; i++) {
    const { status, text } = await query(client, `['load-${i}'] | summarize n = count()`)
    if (status !== 200) throw new Error(`${status} ${text}`)
    count += Number(JSON.parse(text).tables[0].columns[0][0])
  }
  client.close()
  return count
}

interface Round {
  client: Client
  load: Load
  note: (kind: string, sent: Sent) => void
  round: number
}

type Kind = (round: Round) => Promise<void>

const KINDS: readonly Kind[] = [
  ...[1, 1, 100, 100, 5_000].map((count) => ingest(count)),
  annotate,
  annotate,
  async ({ client, note }) => note('list of annotations', await client.get('/v2/annotations?datasets=load-0')),
  async ({ client, note, round }) =>
    note('query', await query(client, `['load-${round % DATASETS}'] | summarize count() by bin(_time, 1m), status`)),
  async ({ client, note, round }) =>
    note('rows', await query(client, `['load-${round % DATASETS}'] | where level == 'error' | sort by _time desc | limit 100`)),
  async ({ client, note }) => {
    note('health', await client.get('/healthz'))
    await sleep(100)
  },
]

function ingest(count: number): Kind {
  return async ({ client, load, note, round }) => {
    const lines = Array.from({ length: count }, (_, i) => makeEvent(round * count + i, START))
    const sent = await client.post(`/v1/ingest/load-${round % DATASETS}`, Buffer.from(lines.join('\n')), 'application/x-ndjson')
    note(`ingest of ${count}`, sent)
    if (sent.status === 200) load.acknowledged += JSON.parse(sent.text).ingested
  }
}

/** Every tenth one stays. */
async function annotate({ client, load, note, round }: Round): Promise<void> {
  const body = { datasets: [`load-${round % DATASETS}`], type: 'deploy', title: `release ${round}` }
  const created = await client.post('/v2/annotations', Buffer.from(JSON.stringify(body)))
  note('create of an annotation', created)
  if (created.status !== 201) return
  const { id } = JSON.parse(created.text) as { id: string }
  note('change of an annotation', await client.put(`/v2/annotations/${id}`, Buffer.from('{"description":"done"}')))
  note('annotation', await client.get(`/v2/annotations/${id}`))
  if (round % 10 === 0) load.kept.push(id)
  else note('delete of an annotation', await client.delete(`/v2/annotations/${id}`))
}
