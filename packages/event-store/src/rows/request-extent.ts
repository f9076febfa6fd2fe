/**
 * Where the rows of one request are, over all pieces of a large one: enough to find them again, count and remove them.
 */

/** Times are nanoseconds since the epoch, decimal. */
export interface RequestExtent {
  /** All rows of the request have it, and no others. */
  readonly sysTimeNs: string
  /** The least and the greatest `_time`, which are what makes them quick to find. */
  readonly firstTimeNs: string
  readonly lastTimeNs: string
  /** How many there are to be. */
  readonly rows: number
}

/** The least and the greatest of some times. */
export class TimeSpan {
  #first: string | undefined
  #last: string | undefined

  get first(): string | undefined {
    return this.#first
  }

  get last(): string | undefined {
    return this.#last
  }

  /** @param timeNs decimal */
  add(timeNs: string): void {
    if (this.#first === undefined || isBefore(timeNs, this.#first)) this.#first = timeNs
    if (this.#last === undefined || isBefore(this.#last, timeNs)) this.#last = timeNs
  }
}

function isBefore(a: string, b: string): boolean {
  // Nearly all times are of this century and have as many digits: no numbers need to be made.
  if (a.length === b.length && a[0] !== '-' && b[0] !== '-') return a < b
  return BigInt(a) < BigInt(b)
}
