/** How much may come of a compressed body, so that a bomb is refused while it inflates. */
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { COUNTED } from './limits.ts'

/** A compressed body may grow by this factor, plus {@link INFLATE_BYTES_FREE}; text logs reach 20 to 60. */
const INFLATE_RATIO_MAX = 200
/** This much growth is always allowed: a small body of spaces compresses without limit and does no harm. */
const INFLATE_BYTES_FREE = 16_777_216

/** Limits what comes of a body by what was sent of it; a body that is not compressed has no such limits. */
export class InflationLimit {
  #sent = 0

  /** Counts compressed bytes from the sender. */
  addSent(bytes: number): void {
    this.#sent += bytes
  }

  /** @param bytes of the body so far, decompressed @throws ServiceError `too_large` */
  requireBytes(bytes: number): void {
    if (this.#sent === 0 || bytes <= INFLATE_BYTES_FREE + this.#sent * INFLATE_RATIO_MAX) return
    throw new ServiceError(
      'too_large',
      `the body grew from ${this.#sent} to over ${bytes} bytes; at most ${INFLATE_RATIO_MAX} times is accepted`,
    )
  }

  /** @param count of the events, or messages of OTLP, of the body so far @throws ServiceError `too_large` */
  requireFew(what: keyof typeof COUNTED, count: number): void {
    const { perByte, free } = COUNTED[what]
    if (this.#sent === 0 || count <= free + this.#sent * perByte) return
    throw new ServiceError(
      'too_large',
      `${this.#sent} compressed bytes hold over ${count} ${what}; ${perByte} a byte and ${free} more are accepted: send it in parts, or uncompressed`,
    )
  }
}
