/**
 * A web server's log of a day, sent to a service over HTTP as its users send theirs, and then left alone: datasets as ingest and upkeep
 * leave them. The events are made while they are sent, so that any number takes no memory; how fast that is says nothing of the service.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningService } from '../__tests__/support/service.ts'
import { createClient, makeLogEvent } from './ingest-load.ts'

const CLIENTS = 8
const BODY_EVENTS = 5_000
export const DAY_MS = 86_400_000
/** In one of so many events is the word "zebrafish". */
const NEEDLE_EVERY = 200_000

interface SentLogs {
  dataset: string
  /** How many events; the day is shared among them evenly. */
  total: number
  startMs: number
}

export async function sendLogs(service: RunningService, { dataset, total, startMs }: SentLogs): Promise<void> {
  const client = createClient(service, CLIENTS)
  const stepMs = DAY_MS / total
  const eventAt = (i: number) => {
    const event = makeLogEvent(i, startMs, stepMs)
    return i % NEEDLE_EVERY === 0 ? `${event.slice(0, -2)} zebrafish"}` : event
  }
  let first = 0
  const send = async () => {
    for (let from = first; from < total; from = first) {
      first += BODY_EVENTS
      const length = Math.min(BODY_EVENTS, total - from)
      const body = Buffer.from(`[${Array.from({ length }, (_, at) => eventAt(from + at)).join(',')}]`)
      const { status, text } = await client.post(`/v1/datasets/${dataset}/ingest`, body)
      if (status !== 200 || !text.includes('"failed":0')) throw new Error(`the service answered ${status} ${text.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, send))
  client.close()
}

/** How long nobody sends events before they are asked about, which is when upkeep merges and indexes them. */
const QUIET_MINUTES = Number(process.env.QUIET_MINUTES ?? 10)

/** @returns what upkeep chose for which dataset, and what it left out, as the log says it */
export async function rest(service: RunningService): Promise<string> {
  await sleep(QUIET_MINUTES * 60_000)
  return service.stderr
    .split('\n')
    .filter((line) => line.includes('"event":"indexes"'))
    .join('\n')
}
