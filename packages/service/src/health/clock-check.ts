/**
 * Whether the machine's clock jumped: events without a time, leases and monitors depend on it. It is compared with a clock that nobody
 * sets, so a machine that slept looks the same. What was stored meanwhile keeps the times that the clock gave.
 */
import type { Log } from '@deployment-annotations/runtime/log'

/** A smaller difference is a correction in small steps, not a jump. */
const JUMP_MS_MIN = 5_000
/** How long a jump is reported. */
const REPORTED_MS = 600_000
const INTERVAL_MS = 5_000

export class ClockCheck {
  readonly #now: () => number
  readonly #steady: () => number
  readonly #log: Log
  #offsetMs: number
  #jump: { byMs: number; atSteadyMs: number } | undefined

  /** @param steady a clock that nobody sets, in milliseconds */
  constructor(now: () => number, log: Log, steady = () => performance.now()) {
    this.#now = now
    this.#steady = steady
    this.#log = log
    this.#offsetMs = now() - steady()
  }

  result(): { status: 'degraded'; message: string } | undefined {
    this.#compare()
    if (!this.#jump || this.#steady() - this.#jump.atSteadyMs > REPORTED_MS) return undefined
    const { byMs } = this.#jump
    const jump = `${byMs > 0 ? '+' : '-'}${Math.round(Math.abs(byMs) / 1_000)} s`
    return { status: 'degraded', message: `it jumped by ${jump}; times of what came meanwhile may be wrong` }
  }

  /** Compares the clocks at intervals until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const timer = setInterval(() => this.#compare(), INTERVAL_MS)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    clearInterval(timer)
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
