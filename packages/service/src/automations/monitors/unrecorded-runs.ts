/**
 * The runs whose result could not be recorded: nothing of them is stored, so only this service knows that they failed. Each is
 * made again a little later, and until then people are told. Deliberately not here: runs.
 */
import type { StoredMonitor, StoredMonitorState } from '@deployment-annotations/records/monitor-records'
import { decideRun } from './decision.ts'

/**
 * What could not be recorded is tried again after this long, whatever the interval, which may be a year: a disk that was full
 * may have room by then.
 */
const RETRY_MS = 60_000

const NOT_RECORDED = 'the run and what follows from it could not be recorded; the log of the service has the details'

interface UnrecordedRun {
  /** Of the monitor; in another version it has been changed, or run by another service. */
  version: bigint
  againMs: number
  state: StoredMonitorState
}

export class UnrecordedRuns {
  readonly #runs = new Map<string, UnrecordedRun>()

  /** How many monitors at most have one. */
  get size(): number {
    return this.#runs.size
  }

  /** @param atMs the time of the run */
  add({ id, version, definition, state }: StoredMonitor, atMs: number, nowMs: number): void {
    const againMs = nowMs + RETRY_MS
    const failed = decideRun(definition, state, { atMs, measurement: { error: NOT_RECORDED }, newId: '' })
    this.#runs.set(id, { version, againMs, state: { ...failed.state, nextRunMs: againMs } })
  }

  delete(id: string): void {
    this.#runs.delete(id)
  }

  /** Whether the monitor is to run only later, because it was tried a moment ago. */
  isWaiting(monitor: StoredMonitor, nowMs: number): boolean {
    const run = this.#find(monitor)
    return run !== undefined && run.againMs > nowMs && !isAfterSetBack(run, nowMs)
  }

  /** When the next one is tried again. */
  nextTryMs(nowMs: number): number | undefined {
    const later = [...this.#runs.values()].map(({ againMs }) => againMs).filter((againMs) => againMs > nowMs)
    return later.length === 0 ? undefined : Math.min(...later)
  }

  /** The monitor with the state that people are shown. */
  show(monitor: StoredMonitor): StoredMonitor {
    const run = this.#find(monitor)
    return run ? { ...monitor, state: run.state } : monitor
  }

  #find({ id, version }: StoredMonitor): UnrecordedRun | undefined {
    const run = this.#runs.get(id)
    return run?.version === version ? run : undefined
  }
}

function isAfterSetBack({ againMs }: UnrecordedRun, nowMs: number): boolean {
  return againMs - nowMs > RETRY_MS
}
