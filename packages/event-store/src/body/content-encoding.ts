/**
 * The bytes of a request's body, decompressed by its Content-Encoding with bounded output, so that a bomb is refused while it inflates.
 * They come piece by piece, or held in memory as a whole if a format cannot be read in pieces. Deliberately not here: the content of
 * the body.
 */

import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { BODY_BYTES_HELD_MAX, bodiesHeld } from '@deployment-annotations/runtime/concurrency/bounds'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import { memoryBytes } from '../engine/engine-memory.ts'
import { BODY_BYTES_MAX, EVENTS_FREE, INFLATE_BYTES_FREE, INFLATE_RATIO_MAX } from '../scan/limits.ts'

export class InflationLimit {
  #isCompressed = false
  #sent = 0

  /** Counts compressed bytes from the sender. */
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

/** Published clients also send `1` and the empty text for "none". */
const NONE = new Set(['', '1', 'identity'])
const DECODERS: Record<string, () => Transform> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
}

/**
 * @param body the request's bytes
 * @param encoding its Content-Encoding header; several are applied from the last to the first
 * @param growth counts the bytes before decompression
 * @yields chunks of at most the decoder's buffer
 * @throws {ServiceError} `unsupported_media_type`, `malformed` if the data is broken, `too_large` if it is or grew too much
 */
export async function* inflate(body: Readable, encoding: string | undefined, growth: InflationLimit): AsyncGenerator<Buffer> {
  const names = (encoding ?? '').split(',').map((name) => name.trim().toLowerCase())
  const wanted = names.filter((name) => !NONE.has(name)).reverse()
  const unknown = wanted.find((name) => DECODERS[name] === undefined)
  if (unknown !== undefined || wanted.length > 2) {
    throw new ServiceError(
      'unsupported_media_type',
      `Content-Encoding ${quoted(encoding ?? '')} is not supported; gzip, zstd, deflate, br and identity are`,
    )
  }
  const stages = wanted.map((name) => (DECODERS[name] as () => Transform)())
  const count = (chunk: Buffer) => growth.addSent(chunk.length)
  const cut = () => {
    if (!body.readableEnded) for (const stage of stages) stage.destroy(cutShort())
  }
  if (stages.length > 0) body.on('data', count).on('close', cut).on('error', cut)
  // The body stays open if we stop early, because the answer is sent over the same connection.
  const source = stages.length > 0 ? stages.reduce<Readable>(pipeTo, body) : body.iterator({ destroyOnReturn: false })
  let taken = 0
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      taken += chunk.length
      if (taken > BODY_BYTES_MAX)
        throw new ServiceError('too_large', `the body has more than ${BODY_BYTES_MAX} bytes; send it in parts`)
      growth.requireBytes(taken)
      yield chunk
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') throw cutShort()
    // The remaining errors come from the decoders, whose codes have no common form.
    if (stages.length > 0)
      throw new ServiceError('malformed', `the body is not valid ${wanted.join(', ')}: ${message}`, { cause: error })
    throw error
  } finally {
    body.off('data', count).off('close', cut).off('error', cut)
    if (stages[0]) body.unpipe(stages[0])
    for (const stage of stages) stage.destroy()
  }
}

/**
 * Reads a small uncompressed body as a whole, because waiting for each of its pieces takes longer than reading the event in it.
 * @throws ServiceError `malformed` if the sender disconnects before the end
 */
export function readWhole(body: Readable): Promise<readonly Buffer[]> {
  if (body.destroyed) return Promise.reject(cutShort())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const leave = () => body.readableEnded || reject(cutShort())
    body.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => resolve(chunks))
    body.on('error', leave).on('close', leave)
  })
}

function pipeTo(source: Readable, stage: Transform): Transform {
  source.once('error', (error) => stage.destroy(error))
  return source.pipe(stage)
}

function cutShort(): ServiceError {
  return new ServiceError('malformed', 'the body ended before it was complete; nothing was stored')
}

/** A body in memory, until it is disposed of. */
interface WholeBody extends Disposable {
  readonly bytes: Buffer
}

/** The part of the memory that all bodies may take; their events take as much again. */
const PART_OF_MEMORY = 1 / 8

export class WholeBodies {
  readonly #heldMax: number
  #held = 0
  #count = 0

  /** @param memory how many bytes this process may use */
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
      for await (const chunk of inflate(body, encoding, new InflationLimit())) {
        // The chunk is copied, because decoders reuse their memory.
        chunks.push(Buffer.from(chunk))
        size += chunk.length
        this.#held += chunk.length
        if (size > bytesMax) throw new ServiceError('too_large', `the body has more than ${bytesMax} bytes; send it in parts`)
        if (this.#held > this.#heldMax && this.#count > 1) throw bodiesHeld(this.#count)
      }
    } catch (error) {
      release()
      throw error
    }
    return { bytes: Buffer.concat(chunks, size), [Symbol.dispose]: release }
  }
}
