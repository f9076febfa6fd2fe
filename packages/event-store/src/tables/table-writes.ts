/**
 * Tracks when tables of events were last written to, which decides whether facts about a table are still valid. Deletes and merges do
 * not count, because they add no event.
 */

export interface TableWrites {
  /** Runs a task that may add events to a table. */
  during<T>(table: string, task: () => Promise<T>): Promise<T>
  /** Call this after the table is dropped. */
  forget(table: string): void
  /** @returns a number that stays the same until the next write begins */
  numberOf(table: string): number
  /** Whether no write is under way, and none has ended for this many milliseconds. */
  isQuiet(table: string, ms: number): boolean
}

/** If others write to the same tables, no table is ever known to be quiet. */
export const UNSEEN_WRITES: TableWrites = {
  during: (_, task) => task(),
  forget: () => undefined,
  numberOf: () => 0,
  isQuiet: () => false,
}

interface Write {
  /** The number of the table's last write, counted over all tables. */
  number: number
  underWay: number
  /** When the last write ended, by the monotonic clock. */
  endedMs: number
}

/** The writes of a process that is the only one to write. */
export class OwnWrites implements TableWrites {
  readonly #last = new Map<string, Write>()
  #number = 0

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

  forget(table: string): void {
    this.#last.delete(table)
  }

  numberOf(table: string): number {
    return this.#last.get(table)?.number ?? 0
  }

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
