/**
 * How late the events of a dataset arrive, learnt from those that arrived within an hour: a comparison ends so long ago, because what is
 * missing since then is only on its way.
 */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { Ask } from './comparison.ts'
import { ARRIVAL_MS, formatSpan } from './windows.ts'

/** Of each minute in which events arrived the lag of nearly all of them, and of these minutes a high one. */
const OF_EVENTS = 95
const OF_MINUTES = 80
/** For longer lags nobody waits without being told. */
export const LAG_MS_MAX = 30 * UNIT_MS.m
/** What arrived in fewer minutes is a backfill, or too little to learn from. */
const MINUTES_MIN = 3
/** Later events teach nothing, so after that time whatever is late has come. */
export const LATE_MS = UNIT_MS.h
/** Nobody is told of a lag that is no longer, because senders of batches have one. */
const BATCH_MS = 2 * UNIT_MS.m

export interface Lag {
  /** At least what senders of batches take. */
  ms: number
  /** Whether it was learnt, or does not matter. */
  isKnown: boolean
  /** The dataset whose events come last. */
  dataset: string
}

/** The lag of events of which it cannot be asked. */
export const UNKNOWN_LAG: Lag = { ms: ARRIVAL_MS, isKnown: false, dataset: '' }

/** So long what was learnt is used again. */
const LEARNT_MS = 5 * UNIT_MS.m

export class Lags {
  readonly #learnt = new Map<string, Lag & { atMs: number }>()

  /** @param endMs the end of the time that is looked at @returns the longest lag of the datasets. @throws as `ask` does */
  async longest(ask: Ask, datasets: readonly string[], endMs: number, nowMs: number): Promise<Lag> {
    const found: Lag[] = []
    for (const dataset of nowMs > endMs + LATE_MS ? [] : datasets) {
      const before = this.#learnt.get(dataset)
      const isFresh = before !== undefined && Math.abs(nowMs - before.atMs) < LEARNT_MS
      const lag = isFresh ? before : { ...(await learn(ask, dataset, nowMs)), atMs: nowMs }
      this.#learnt.set(dataset, lag)
      found.push(lag)
    }
    const [longest = UNKNOWN_LAG] = found.sort((a, b) => b.ms - a.ms)
    return { ...longest, isKnown: found.every(({ isKnown }) => isKnown) }
  }
}

async function learn(ask: Ask, dataset: string, nowMs: number): Promise<Lag> {
  const apl = `['${dataset}'] | where _sysTime between (_time .. _time + 1h)
| summarize late = percentile((_sysTime - _time) / 1ms, ${OF_EVENTS}) by bin(_sysTime, 1m)
| summarize minutes = count(), late = percentile(late, ${OF_MINUTES})`
  const { tables } = await ask({ name: `lag of ${dataset}`, apl }, formatSpan({ startMs: nowMs - 2 * LATE_MS, endMs: nowMs }))
  const [minutes = 0, lateMs = 0] = tables[0]?.columns.map(([cell]) => Number(cell)) ?? []
  const isKnown = minutes >= MINUTES_MIN
  return { ms: ARRIVAL_MS + (isKnown ? lateMs : 0), isKnown, dataset }
}

/** @returns `, because events of web arrive 6 min late`; '' where they are hardly late */
export function describeLag({ dataset, ms }: Lag, because = ', because '): string {
  return ms < BATCH_MS ? '' : `${because}events of ${dataset} arrive ${Math.round(ms / UNIT_MS.m)} min late`
}

/** @returns the notes of a comparison that had to wait longer than anybody expects */
export function notesOfLag(lag: Lag): string[] {
  return lag.ms > LAG_MS_MAX ? [`${describeLag(lag, '')}, so it was judged later.`] : []
}
