/**
 * Bodies of a form that cannot be read piece by piece, held in memory as a whole: each within its own limit, and all of them together
 * within another one.
 */
import type { Readable } from 'node:stream'
import { BODIES_HELD, BODY_BYTES_HELD_MAX, overloaded } from '../../concurrency/queue-bounds.ts'
import { ServiceError } from '../../errors.ts'
import { inflate } from './content-encoding.ts'
import { Growth } from './growth.ts'

/** A body, until it is disposed of. */
interface WholeBody extends Disposable {
  readonly bytes: Buffer
}

export class WholeBodies {
  #held = 0
  #count = 0

  /**
   * @param encoding its Content-Encoding header
   * @throws ServiceError `too_large`, `overloaded`, and as `inflate` does
   */
  async read(body: Readable, encoding: string | undefined, bytesMax: number): Promise<WholeBody> {
    const chunks: Buffer[] = []
    let size = 0
    const release = () => {
      this.#held -= size
      this.#count--
    }
    this.#count++
    try {
      for await (const chunk of inflate(body, encoding, new Growth())) {
        // Decoders use their memory again.
        chunks.push(Buffer.from(chunk))
        size += chunk.length
        this.#held += chunk.length
        if (size > bytesMax) throw new ServiceError('too_large', `the body has more than ${bytesMax} bytes; send it in parts`)
        if (this.#held > BODY_BYTES_HELD_MAX && this.#count > 1) throw overloaded(BODIES_HELD, this.#count)
      }
    } catch (error) {
      release()
      throw error
    }
    return { bytes: Buffer.concat(chunks, size), [Symbol.dispose]: release }
  }
}
