/** A service with a shop whose requests are known: a deployment in the middle, and what it did. */
import type { Client } from '@deployment-annotations/client'
import { UNIT_MS } from '@deployment-annotations/contract/duration'

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

/** Stores one event for each request: evenly spread, every so many of them failing, latencies along a fixed curve. */
export async function storeTraffic(client: Client, traffic: Traffic): Promise<void> {
  const { dataset, atMs, failing, slower = 1, minutes = [60, 10], requestsPerMinute = 200 } = traffic
  const [before, after] = minutes
  const each = UNIT_MS.m / requestsPerMinute
  const events = Array.from({ length: (before + after) * requestsPerMinute }, (_, at) => {
    const offsetMs = at * each - before * UNIT_MS.m
    const isAfter = offsetMs >= 0
    const share = failing[isAfter ? 1 : 0]
    return {
      _time: new Date(atMs + offsetMs).toISOString(),
      status: share > 0 && Math.floor((at + 1) * share) > Math.floor(at * share) ? 500 : 200,
      path: at % 3 === 0 ? '/checkout' : '/cart',
      // Golden ratio: evenly over 0 to 1, without a pattern that buckets would see.
      ms: Math.round(100 * Math.exp(((at * 0.618_034) % 1) * 2) * (isAfter ? slower : 1)),
    }
  })
  await client.ingest(dataset, events)
}

export const ERRORS = (dataset: string) =>
  `errors: ['${dataset}'] | summarize failed = countif(status >= 500), requests = count() by bin(_time, 1m)`
export const LATENCY = (dataset: string) => `latency: ['${dataset}']\n  | summarize p95 = percentile(ms, 95) by bin(_time, 1m)`
