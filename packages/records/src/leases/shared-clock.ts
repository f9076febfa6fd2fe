/**
 * The clock of a database that several services share. All of them go by it, so that a machine whose clock is wrong neither ends tokens
 * nor removes events at another time than the others would.
 * It is this machine's clock, set right by what the database's said: asking for each time would cost every request a statement.
 */

/** How often the two are compared. Good clocks differ by less than a millisecond more after that time. */
const COMPARED_MS = 5_000

export class SharedClock implements Disposable {
  readonly #read: () => Promise<number>
  readonly #machine: () => number
  /** How much later it is by the machine's clock than by the shared one. */
  #aheadMs = 0
  #timer: NodeJS.Timeout | undefined

  /** @param read reads the clock of the database, in milliseconds since the epoch */
  constructor(read: () => Promise<number>, machine: () => number = Date.now) {
    this.#read = read
    this.#machine = machine
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#machine() - this.#aheadMs
  }

  /** Compares the clocks now, and at intervals until it is disposed of. @throws whatever the first reading throws */
  async follow(): Promise<void> {
    await this.compare()
    // While the database cannot be read, the difference stays what it was.
    this.#timer = setInterval(() => void this.compare().catch(() => undefined), COMPARED_MS).unref()
  }

  /**
   * The database read its clock at some time while this waited, so the difference is certainly one between two values. The nearest to
   * the known one is taken: where the two agree as far as one can tell, a slow answer changes nothing.
   */
  async compare(): Promise<void> {
    const beforeMs = this.#machine()
    const sharedMs = await this.#read()
    this.#aheadMs = Math.min(Math.max(this.#aheadMs, beforeMs - sharedMs), this.#machine() - sharedMs)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
