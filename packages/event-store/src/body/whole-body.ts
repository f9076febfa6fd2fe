/**
 * Bodies of a form that cannot be read piece by piece, held in memory as a whole: each within its own limit, and all of them together
 * within another one.
 */
import type { Readable } from 'node:stream'
import { BODIES_HELD, BODY_BYTES_HELD_MAX, overloaded } from '@deployment-annotations/runtime/concurrency/queue-bounds'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { memoryBytes } from '../engine/engine-memory.ts'
import { inflate } from './content-encoding.ts'
import { Growth } from './growth.ts'

/** A body, until it is disposed of. */
interface WholeBody extends Disposable {
  readonly bytes: Buffer
}

/** What all of them take, of the memory that there is: from each comes as much again in events. */
const PART_OF_MEMORY = 1 / 8

export class WholeBodies {
  readonly #heldMax: number
  #held = 0
  #count = 0

  /** @param memory bytes that this process may use */
  constructor(memory = memoryBytes()) {
    this.#heldMax = Math.min(BODY_BYTES_HELD_MAX, memory * PART_OF_MEMORY)
  }

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
        if (this.#held > this.#heldMax && this.#count > 1) throw overloaded(BODIES_HELD, this.#count)
      }
    } catch (error) {
      release()
      throw error
    }
    return { bytes: Buffer.concat(chunks, size), [Symbol.dispose]: release }
  }
}
