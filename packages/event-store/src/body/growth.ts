/**
 * How much a compressed body may become: a few bytes that turn into work for a minute are refused as soon as it shows, before most
 * of the work is done. Bodies that are sent as they are may grow nowhere, and have no such limit.
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { EVENTS_FREE, INFLATE_BYTES_FREE, INFLATE_RATIO_MAX } from '../scan/limits.ts'

export class Growth {
  #isCompressed = false
  #sent = 0

  /** Bytes came from the sender, to be decompressed. */
  addSent(bytes: number): void {
    this.#isCompressed = true
    this.#sent += bytes
  }

  /** @param bytes of the body so far, decompressed @throws ServiceError `too_large` */
  requireBytes(bytes: number): void {
    if (!this.#isCompressed || bytes <= INFLATE_BYTES_FREE + this.#sent * INFLATE_RATIO_MAX) return
    throw new ServiceError(
      'too_large',
      `the body grew from ${this.#sent} to over ${bytes} bytes; at most ${INFLATE_RATIO_MAX} times is accepted`,
    )
  }

  /** @param events of the body so far @throws ServiceError `too_large` */
  requireEvents(events: number): void {
    if (!this.#isCompressed || events <= EVENTS_FREE + this.#sent) return
    throw new ServiceError(
      'too_large',
      `${this.#sent} compressed bytes hold over ${events} events; one a byte and ${EVENTS_FREE} more are accepted: send it in parts, or uncompressed`,
    )
  }
}
