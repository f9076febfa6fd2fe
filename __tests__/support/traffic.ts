/** A service with a shop whose requests are known: a deployment in the middle, and what it did. */
import type { Client } from '@deployment-annotations/client'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { createChance } from '../../packages/compare/__tests__/support/random.ts'

export interface Traffic {
  dataset: string
  /** When the deployment was, in milliseconds since the epoch. */
  atMs: number
  /** Share of requests that fail, before and after. */
  failing: readonly [number, number]
  /** Factor of all latencies after. */
  slower?: number
  minutes?: readonly [number, number]
  requestsPerMinute?: number
}

/** Stores one event for each request: so many a minute, failures and latencies drawn by chance that is the same each time. */
export async function storeTraffic(client: Client, traffic: Traffic): Promise<void> {
  const { dataset, atMs, failing, slower = 1, minutes = [60, 10], requestsPerMinute = 200 } = traffic
  const chance = createChance(7)
  const [before, after] = minutes
  const each = UNIT_MS.m / requestsPerMinute
  const events = Array.from({ length: (before + after) * requestsPerMinute }, (_, at) => {
    const offsetMs = at * each - before * UNIT_MS.m
    const isAfter = offsetMs >= 0
    return {
      _time: new Date(atMs + offsetMs).toISOString(),
      status: chance.uniform() < failing[isAfter ? 1 : 0] ? 500 : 200,
      path: chance.uniform() < 0.3 ? '/checkout' : '/cart',
      ms: Math.round(80 * Math.exp(0.6 * chance.normal()) * (isAfter ? slower : 1)),
    }
  })
  await client.ingest(dataset, events)
}

export const ERRORS = (dataset: string) =>
  `errors: ['${dataset}'] | summarize failed = countif(status >= 500), requests = count() by bin(_time, 1m)`
export const LATENCY = (dataset: string) => `latency: ['${dataset}']\n  | summarize p95 = percentile(ms, 95) by bin(_time, 1m)`
