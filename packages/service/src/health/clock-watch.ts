/**
 * Whether the machine's clock jumped: events without a time, leases and monitors go by it. It is compared with one that only runs, so
 * a machine that slept looks the same. What was stored meanwhile has the times that the clock said.
 */
import type { Log } from '@deployment-annotations/runtime/log'
import type { Judgement } from './part.ts'

/** A clock that is corrected in small steps is none that jumped. */
const JUMP_MS_MIN = 5_000
/** How long a jump is told. */
const TOLD_MS = 600_000
const LOOK_MS = 5_000

export class ClockWatch {
  readonly #now: () => number
  readonly #steady: () => number
  readonly #log: Log
  #offsetMs: number
  #jump: { byMs: number; atSteadyMs: number } | undefined

  /** @param steady a clock that nobody sets */
  constructor(now: () => number, log: Log, steady = () => performance.now()) {
    this.#now = now
    this.#steady = steady
    this.#log = log
    this.#offsetMs = now() - steady()
  }

  judge(): Judgement | undefined {
    this.#look()
    if (!this.#jump || this.#steady() - this.#jump.atSteadyMs > TOLD_MS) return undefined
    return { status: 'degraded', message: `it jumped by ${describe(this.#jump.byMs)}; times of what came meanwhile may be wrong` }
  }

  /** Looks from time to time until the signal ends it. */
  async run(signal: AbortSignal): Promise<void> {
    const timer = setInterval(() => this.#look(), LOOK_MS)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    clearInterval(timer)
  }

  #look(): void {
    const offsetMs = this.#now() - this.#steady()
    const byMs = offsetMs - this.#offsetMs
    this.#offsetMs = offsetMs
    if (Math.abs(byMs) < JUMP_MS_MIN) return
    this.#jump = { byMs, atSteadyMs: this.#steady() }
    this.#log.warn({ event: 'clock-jumped', seconds: Math.round(byMs / 1_000) })
  }
}

function describe(ms: number): string {
  return `${ms > 0 ? '+' : '-'}${Math.round(Math.abs(ms) / 1_000)} s`
}
