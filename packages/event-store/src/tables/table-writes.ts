/**
 * Tracks when tables of events were last written to, which decides whether facts about a table are still valid. Deletes and merges do
 * not count, because they add no event.
 */

interface Write {
  /** The number of the table's last write, counted over all tables. */
  number: number
  underWay: number
  /** When the last write ended, by the monotonic clock. */
  endedMs: number
}

/** The writes of this process. */
export class TableWrites {
  readonly #areAll: boolean
  readonly #last = new Map<string, Write>()
  #number = 0

  /** @param areAll whether nobody else writes to the same tables; otherwise no table is ever known to be quiet */
  constructor(areAll = true) {
    this.#areAll = areAll
  }

  /** Runs a task that may add events to a table. */
  async during<T>(table: string, task: () => Promise<T>): Promise<T> {
    const write = this.#last.get(table) ?? { number: 0, underWay: 0, endedMs: 0 }
    this.#last.set(table, write)
    write.number = ++this.#number
    write.underWay++
    try {
      return await task()
    } finally {
      write.underWay--
      write.endedMs = performance.now()
    }
  }

  /** Call this after the table is dropped. */
  forget(table: string): void {
    this.#last.delete(table)
  }

  /** @returns a number that stays the same until the next write of this process begins */
  numberOf(table: string): number {
    return this.#last.get(table)?.number ?? 0
  }

  /** Whether no write is under way, and none has ended for this many milliseconds. */
  isQuiet(table: string, ms: number): boolean {
    const write = this.#last.get(table)
    if (write === undefined) return this.#areAll
    return this.#areAll && write.underWay === 0 && performance.now() - write.endedMs >= ms
  }
}
