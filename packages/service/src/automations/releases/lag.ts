/**
 * How late the events of a dataset arrive, learnt from those that arrived within an hour: a comparison ends so long ago, because what is
 * missing since then is only on its way.
 */
import type { Ask } from '@deployment-annotations/compare/comparison'
import { ARRIVAL_MS, formatSpan, type Span } from '@deployment-annotations/compare/windows'
import { UNIT_MS } from '@deployment-annotations/contract/duration'

/** Of each minute in which events arrived the lag of nearly all of them, and of these minutes a high one. */
const OF_EVENTS = 95
const OF_MINUTES = 80
/** For longer lags nobody waits without being told. */
export const LAG_MS_MAX = 30 * UNIT_MS.m
/** What arrived in fewer minutes is a backfill, or too little to learn from. */
const MINUTES_MIN = 3

export interface Lag {
  /** At least what senders of batches take. */
  ms: number
  /** Whether it was learnt. */
  isKnown: boolean
  /** The dataset whose events come last. */
  dataset: string
}

/** So long what was learnt is used again. */
const LEARNT_MS = 5 * UNIT_MS.m

export class Lags {
  readonly #learnt = new Map<string, Lag & { atMs: number }>()

  /** @param span a time with an hour of usual traffic in it, until now @returns the longest lag of the datasets */
  async longest(ask: Ask, datasets: readonly string[], span: Span): Promise<Lag> {
    const found: Lag[] = []
    for (const dataset of datasets) {
      const before = this.#learnt.get(dataset)
      const isFresh = before !== undefined && Math.abs(span.endMs - before.atMs) < LEARNT_MS
      const lag = isFresh ? before : { ...(await learn(ask, dataset, span)), atMs: span.endMs }
      this.#learnt.set(dataset, lag)
      found.push(lag)
    }
    const [longest = { ms: ARRIVAL_MS, dataset: '' }] = found.sort((a, b) => b.ms - a.ms)
    return { ...longest, isKnown: found.every(({ isKnown }) => isKnown) }
  }
}

async function learn(ask: Ask, dataset: string, span: Span): Promise<Lag> {
  const apl = `['${dataset}'] | where _sysTime between (_time .. _time + 1h)
| summarize late = percentile((_sysTime - _time) / 1ms, ${OF_EVENTS}) by bin(_sysTime, 1m)
| summarize minutes = count(), late = percentile(late, ${OF_MINUTES})`
  const { tables } = await ask({ name: dataset, apl }, formatSpan(span))
  const [minutes = 0, lateMs = 0] = tables[0]?.columns.map(([cell]) => Number(cell)) ?? []
  const isKnown = minutes >= MINUTES_MIN
  return { ms: ARRIVAL_MS + (isKnown ? lateMs : 0), isKnown, dataset }
}
