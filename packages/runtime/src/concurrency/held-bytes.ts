/**
 * Bounds the bytes that requests hold until they are done with them, in memory or on the disk: those of one caller, and of all together.
 * They are summed up when more are wanted, so what is held may change in size meanwhile.
 */
import { refuseForNow } from '../errors.ts'

export interface HeldBound {
  readonly bytesMax: number
  readonly bytesPerCallerMax: number
  /** @returns a clause that says what the others hold, of the same caller or of all */
  readonly describe: (others: { count: number; bytes: number }, isOwn: boolean) => string
  /** After how many seconds a refused request should be sent again; 1 when absent. */
  readonly retryAfterS?: number
  /** What a refused caller may do instead, for messages: `or in parts`. */
  readonly instead?: string
}

interface Holder {
  readonly caller: string
  readonly bytes: number
}

/** All that hold bytes; each is added and deleted by its owner. */
export class HeldBytes<One extends Holder> extends Set<One> {
  readonly #bound: HeldBound

  constructor(bound: HeldBound) {
    super()
    this.#bound = bound
  }

  /**
   * Call this before a holder is added, or takes more bytes. If there are no others it has room, however large it is.
   * @param more how many bytes it wants beside those that it has
   * @param free makes room for so many bytes by deleting some of the others; returns how many bytes it freed
   * @throws ServiceError `rate_limited` if the caller's others take its share, `overloaded` if all take all
   */
  requireRoom(one: Holder, more = 0, free: (others: readonly One[], bytes: number) => number = () => 0): void {
    const { bytesMax, bytesPerCallerMax, describe } = this.#bound
    for (const isOwn of [true, false]) {
      const others = [...this].filter((other) => other !== one && (!isOwn || other.caller === one.caller))
      const held = others.reduce((sum, { bytes }) => sum + bytes, 0)
      const lacking = held + one.bytes + more - (isOwn ? bytesPerCallerMax : bytesMax)
      const freed = held > 0 && lacking > 0 ? free(others, lacking) : 0
      if (freed === held || freed >= lacking) continue
      const what = describe({ count: others.length, bytes: held - freed }, isOwn)
      throw refuseForNow(isOwn ? 'rate_limited' : 'overloaded', what, this.#bound)
    }
  }
}
