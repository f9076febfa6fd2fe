/**
 * A web server's log of a day, sent to a service over HTTP as its users send theirs, and then left alone: datasets as ingest and upkeep
 * leave them. The events are made while they are sent, so that any number takes no memory; how fast that is says nothing of the service.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningService } from '../../__tests__/support/service.ts'
import { createClient, patiently, repeat } from './client.ts'
import { makeBody, makeEvent } from './events.ts'

const CLIENTS = 8
const BODY_EVENTS = 5_000
export const DAY_MS = 86_400_000

interface SentLogs {
  dataset: string
  /** How many events; the day is shared among them evenly. */
  total: number
  startMs: number
}

export async function sendLogs(service: RunningService, { dataset, total, startMs }: SentLogs): Promise<void> {
  const client = createClient(service, CLIENTS)
  const eventAt = (i: number) => makeEvent(i, startMs, DAY_MS / total)
  await repeat(CLIENTS, Math.ceil(total / BODY_EVENTS), async (index) => {
    const from = index * BODY_EVENTS
    const body = makeBody(from, Math.min(BODY_EVENTS, total - from), eventAt)
    const sent = await patiently(() => client.post(`/v1/datasets/${dataset}/ingest`, body))
    if (sent.status === 200 && !sent.text.includes('"failed":0')) throw new Error(`an event failed: ${sent.text.slice(0, 300)}`)
    return sent
  })
  client.close()
}

/** How long nobody sends events before they are asked about, which is when upkeep merges and indexes them. */
export const QUIET_MS = Number(process.env.QUIET_MINUTES ?? 10) * 60_000

/** @returns what upkeep chose for which dataset, and what it left out, as the log says it */
export async function rest(service: RunningService): Promise<string> {
  await sleep(QUIET_MS)
  return service.stderr
    .split('\n')
    .filter((line) => line.includes('"event":"indexes"'))
    .join('\n')
}
