/**
 * When tables of events were written to, which tells whether what was read of one is still so. Only for an engine to
 * which this process alone writes. Deletes and merges do not count: they add no event.
 */

interface Write {
  /** Another one after each start of a write, over all tables. */
  number: number
  underWay: number
  /** Of the last one, by the monotonic clock. */
  endedMs: number
}

export class TableWrites {
  readonly #last = new Map<string, Write>()
  #number = 0

  /** Does what may add events to a table. */
  async during<T>(table: string, task: () => Promise<T>): Promise<T> {
    const write = this.#of(table)
    write.number = ++this.#number
    write.underWay++
    try {
      return await task()
    } finally {
      write.underWay--
      write.endedMs = performance.now()
    }
  }

  /** To be called when the table is gone. */
  forget(table: string): void {
    this.#last.delete(table)
  }

  /** @returns a number that stays the same until the next write begins */
  numberOf(table: string): number {
    return this.#last.get(table)?.number ?? 0
  }

  /** Whether no write is under way, and none has ended in so many milliseconds. */
  isQuiet(table: string, ms: number): boolean {
    const write = this.#last.get(table)
    return write === undefined || (write.underWay === 0 && performance.now() - write.endedMs >= ms)
  }

  #of(table: string): Write {
    const write = this.#last.get(table) ?? { number: 0, underWay: 0, endedMs: 0 }
    this.#last.set(table, write)
    return write
  }
}
