/**
 * Whether the machine's clock jumped, or differs from that of the records. The first is found with a clock that nobody sets, so a machine
 * that slept looks the same; what was stored meanwhile keeps the times that the clock gave. Where several services share the records, all
 * go by the records' clock (packages/records/src/leases/shared-clock.ts), and a machine whose clock is wrong only has to be set right.
 */
import { repeat } from '@deployment-annotations/runtime/concurrency/repeat'
import type { Log } from '@deployment-annotations/runtime/log'

/** A smaller difference is a correction in small steps, not a jump. */
const JUMP_MS_MIN = 5_000
/** How long a jump is reported. */
const REPORTED_MS = 600_000
const INTERVAL_MS = 5_000
/** Smaller differences are common where clocks are set by NTP. */
const DIFFERENCE_MS_MIN = 2_000

interface ClockCheckParts {
  log: Log
  /** A clock that nobody sets, in milliseconds. */
  steady?: () => number
  /** The clock of the records, in milliseconds since the epoch. */
  shared?: () => number
}

export class ClockCheck {
  readonly #now: () => number
  readonly #steady: () => number
  readonly #shared: () => number
  readonly #log: Log
  #offsetMs: number
  #isApart = false
  #jump: { byMs: number; atSteadyMs: number } | undefined

  /** @param now the machine's clock, in milliseconds since the epoch */
  constructor(now: () => number, { log, steady = () => performance.now(), shared = now }: ClockCheckParts) {
    this.#now = now
    this.#steady = steady
    this.#shared = shared
    this.#log = log
    this.#offsetMs = now() - steady()
  }

  /** How much later it is by the machine's clock than by that of the records, in milliseconds. */
  get aheadMs(): number {
    return this.#now() - this.#shared()
  }

  result(): { status: 'degraded'; message: string } | undefined {
    this.#compare()
    if (this.#isApart) {
      const { aheadMs } = this
      const seconds = Math.round(Math.abs(aheadMs) / 1_000)
      return { status: 'degraded', message: `it is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the records` }
    }
    if (!this.#jump || this.#steady() - this.#jump.atSteadyMs > REPORTED_MS) return undefined
    const { byMs } = this.#jump
    const jump = `${byMs > 0 ? '+' : '-'}${Math.round(Math.abs(byMs) / 1_000)} s`
    return { status: 'degraded', message: `it jumped by ${jump}; times of what came meanwhile may be wrong` }
  }

  /** Compares the clocks now, and at intervals until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return repeat(() => this.#compare(), INTERVAL_MS, signal)
  }

  #compare(): void {
    this.#compareShared()
    const offsetMs = this.#now() - this.#steady()
    const byMs = offsetMs - this.#offsetMs
    this.#offsetMs = offsetMs
    if (Math.abs(byMs) < JUMP_MS_MIN) return
    this.#jump = { byMs, atSteadyMs: this.#steady() }
    this.#log.warn({ event: 'clock-jumped', seconds: Math.round(byMs / 1_000) })
  }

  #compareShared(): void {
    const wasApart = this.#isApart
    this.#isApart = Math.abs(this.aheadMs) >= DIFFERENCE_MS_MIN
    if (this.#isApart && !wasApart) this.#log.warn({ event: 'clock-differs', aheadSeconds: Math.round(this.aheadMs / 1_000) })
  }
}
