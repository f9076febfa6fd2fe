/**
 * A crowd: hundreds of clients that all ask at once, each one request after the other, of four kinds; and people who look at a page with
 * one small chart each. No figures are judged here.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient, query, type Sent, type Target } from './client.ts'
import { makeEvent } from './events.ts'

export interface CrowdAnswer extends Sent {
  kind: string
}

export interface Crowd {
  answers: CrowdAnswer[]
  /** Events that were acknowledged. */
  acknowledged: number
}

const START = Date.parse('2026-01-31T00:00:00Z')
const EVENTS = 100

const KINDS: Readonly<Record<string, (client: Client, n: number) => Promise<Sent>>> = {
  query: (client, n) => query(client, `['crowd'] | where status >= ${200 + (n % 300)} | summarize count() by level`),
  'list of annotations': (client) => client.get('/v2/annotations?datasets=crowd'),
  'create of an annotation': (client, n) =>
    client.post('/v2/annotations', Buffer.from(JSON.stringify({ datasets: ['crowd'], type: 'deploy', title: `${n}` }))),
  ingest: (client, n) => client.post('/v1/ingest/crowd', eventsOf(n), 'application/x-ndjson'),
}

/** Makes the dataset that the crowd asks for. @returns events that were acknowledged */
export async function prepareCrowd(target: Target): Promise<number> {
  const client = createClient(target, 1)
  for (let n = 0; n < 20; n++) {
    const { status, text } = await (KINDS.ingest as (typeof KINDS)[string])(client, n)
    if (status !== 200) throw new Error(`${status} ${text}`)
  }
  client.close()
  return 20 * EVENTS
}

/** @param clients of all kinds together, each with a connection of its own, that send this many requests each */
export async function runCrowd(target: Target, clients: number, requests: number): Promise<Crowd> {
  const crowd: Crowd = { answers: [], acknowledged: 0 }
  const client = createClient(target, clients)
  const kinds = Object.entries(KINDS)
  await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const [kind, ask] = kinds[index % kinds.length] as (typeof kinds)[number]
      for (let round = 0; round < requests; round++) {
        const sent = await ask(client, index * requests + round)
        crowd.answers.push({ kind, ...sent })
        if (kind === 'ingest' && sent.status === 200) crowd.acknowledged += JSON.parse(sent.text).ingested
        // As every client of ours does.
        if (sent.retryAfterS !== undefined) await sleep(sent.retryAfterS * 1_000)
      }
    }),
  )
  client.close()
  return crowd
}

/** One small chart for each of so many people with the same token, all at once. */
export async function lookAtCharts(target: Target, people: number): Promise<Sent[]> {
  const client = createClient(target, people)
  const chart = "['crowd'] | summarize count() by bin_auto(_time), level"
  const answers = await Promise.all(Array.from({ length: people }, () => query(client, chart)))
  client.close()
  return answers
}

/** One request of each kind, one after the other. */
export async function askOnce(target: Target): Promise<CrowdAnswer[]> {
  const client = createClient(target, 1)
  const answers: CrowdAnswer[] = []
  for (const [kind, ask] of Object.entries(KINDS)) answers.push({ kind, ...(await ask(client, 0)) })
  client.close()
  return answers
}

/** Asks for the health all the time while `task` runs. */
export async function watchHealth<T>(target: Target, task: () => Promise<T>): Promise<{ value: T; health: Sent[] }> {
  const client = createClient(target, 1)
  const health: Sent[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      health.push(await client.get('/healthz'))
      await sleep(20)
    }
  })()
  const value = await task().finally(() => {
    isOver = true
  })
  await watching
  client.close()
  return { value, health }
}

function eventsOf(n: number): Buffer {
  return Buffer.from(Array.from({ length: EVENTS }, (_, i) => makeEvent(n * EVENTS + i, START)).join('\n'))
}
