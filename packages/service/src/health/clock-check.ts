/**
 * Whether the machine's clock jumped: events without a time, leases and monitors depend on it. It is compared with a clock that nobody
 * sets, so a machine that slept looks the same; and with that of the records, which several services share. What was stored meanwhile keeps the times that the clock gave.
 */
import type { Log } from '@deployment-annotations/runtime/log'

/** A smaller difference is a correction in small steps, not a jump. */
const JUMP_MS_MIN = 5_000
/** How long a jump is reported. */
const REPORTED_MS = 600_000
const INTERVAL_MS = 5_000
/** A difference from the database's clock that services notice: an event without a time is that much off. */
const DIFFERENCE_MS_MIN = 2_000

export class ClockCheck {
  readonly #now: () => number
  readonly #steady: () => number
  readonly #log: Log
  #offsetMs: number
  readonly #readShared: (() => Promise<number>) | undefined
  /** How much later it is here than by the clock of the records. */
  #aheadMs = 0
  #jump: { byMs: number; atSteadyMs: number } | undefined

  /**
   * @param steady a clock that nobody sets, in milliseconds
   * @param readShared reads the clock of the records, which services that share them have in common
   */
  constructor(now: () => number, log: Log, steady = () => performance.now(), readShared?: () => Promise<number>) {
    this.#readShared = readShared
    this.#now = now
    this.#steady = steady
    this.#log = log
    this.#offsetMs = now() - steady()
  }

  result(): { status: 'degraded'; message: string } | undefined {
    this.#compare()
    if (Math.abs(this.#aheadMs) >= DIFFERENCE_MS_MIN) {
      const seconds = Math.round(Math.abs(this.#aheadMs) / 1_000)
      const side = this.#aheadMs > 0 ? 'ahead of' : 'behind'
      return { status: 'degraded', message: `it is ${seconds} s ${side} that of the records` }
    }
    if (!this.#jump || this.#steady() - this.#jump.atSteadyMs > REPORTED_MS) return undefined
    const { byMs } = this.#jump
    const jump = `${byMs > 0 ? '+' : '-'}${Math.round(Math.abs(byMs) / 1_000)} s`
    return { status: 'degraded', message: `it jumped by ${jump}; times of what came meanwhile may be wrong` }
  }

  /** Compares the clocks at intervals until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const timer = setInterval(() => {
      this.#compare()
      void this.compareShared()
    }, INTERVAL_MS)
    await this.compareShared()
    if (signal.aborted) return clearInterval(timer)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    clearInterval(timer)
  }

  /** Compares this machine's clock with that of the records; what cannot be read says nothing. */
  async compareShared(): Promise<void> {
    const beforeMs = this.#now()
    const sharedMs = await this.#readShared?.().catch(() => undefined)
    if (sharedMs === undefined) return
    const wasApart = Math.abs(this.#aheadMs) >= DIFFERENCE_MS_MIN
    // It was read at some time while this waited.
    this.#aheadMs = (beforeMs + this.#now()) / 2 - sharedMs
    if (wasApart || Math.abs(this.#aheadMs) < DIFFERENCE_MS_MIN) return
    this.#log.warn({ event: 'clock-differs', aheadSeconds: Math.round(this.#aheadMs / 1_000) })
  }

  #compare(): void {
    const offsetMs = this.#now() - this.#steady()
    const byMs = offsetMs - this.#offsetMs
    this.#offsetMs = offsetMs
    if (Math.abs(byMs) < JUMP_MS_MIN) return
    this.#jump = { byMs, atSteadyMs: this.#steady() }
    this.#log.warn({ event: 'clock-jumped', seconds: Math.round(byMs / 1_000) })
  }
}
