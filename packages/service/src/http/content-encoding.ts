/**
 * The bytes of a request's body, decompressed by its Content-Encoding with bounded output, so that a bomb is refused while it inflates.
 * They come piece by piece, or held in memory as a whole if a format cannot be read in pieces. Deliberately not here: the content of
 * the body.
 */

import { nextTick } from 'node:process'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { memoryBytes } from '@deployment-annotations/event-store/engine/engine-memory'
import { InflationLimit } from '@deployment-annotations/event-store/scan/inflation-limit'
import { BODY_BYTES_HELD_MAX } from '@deployment-annotations/runtime/concurrency/bounds'
import { HeldBytes } from '@deployment-annotations/runtime/concurrency/held-bytes'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyRequest } from 'fastify'

/** The size of a body after decompression: five times the largest body of the benchmark, which stops a bomb. */
const BODY_BYTES_MAX = 1_073_741_824
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
export async function* inflate(
  body: Readable,
  encoding: string | undefined,
  growth: InflationLimit,
  bytesMax = BODY_BYTES_MAX,
): AsyncGenerator<Buffer> {
  const names = (encoding ?? '').split(',').map((name) => name.trim().toLowerCase())
  const wanted = names.filter((name) => !NONE.has(name)).reverse()
  const decoders = wanted.flatMap((name) => DECODERS[name] ?? [])
  if (decoders.length < wanted.length || wanted.length > 2) {
    throw new ServiceError(
      'unsupported_media_type',
      `Content-Encoding ${quoted(encoding ?? '')} is not supported; gzip, zstd, deflate, br and identity are`,
    )
  }
  const sent = piecesOf(body)
  const stages = [counted(sent, growth), ...decoders.map((create) => create())] as unknown as Transform[]
  // An error of any stage is also thrown by the last one, which is read here.
  const source = decoders.length === 0 ? sent : (pipeline(stages, () => undefined) as Transform)
  let taken = 0
  try {
    for await (const chunk of source) {
      taken += chunk.length
      if (taken > bytesMax) throw new ServiceError('too_large', `the body has more than ${bytesMax} bytes; send it in parts`)
      growth.requireBytes(taken)
      yield chunk
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
      throw new ServiceError('malformed', 'the body ended before it was complete; nothing was stored')
    // The remaining errors come from the decoders, whose codes have no common form.
    if (wanted.length > 0)
      throw new ServiceError('malformed', `the body is not valid ${wanted.join(', ')}: ${message}`, { cause: error })
    throw error
  }
}

/**
 * The pieces of a stream. A small body is whole when it is asked for, and is not listened to, which costs as much as to store an event.
 * The body stays open if we stop early, because the answer is sent over the same connection.
 */
async function* piecesOf(body: Readable): AsyncGenerator<Buffer> {
  // An error is thrown by the iterator below, and must not end the process before.
  body.on('error', () => undefined)
  const piece: Buffer | null = body.read()
  if (piece) yield piece
  // A stream says that it has ended when it is next the turn of others.
  await new Promise<void>((resolve) => nextTick(resolve))
  if (!body.readableEnded) yield* body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>
}

async function* counted(sent: AsyncIterable<Buffer>, growth: InflationLimit): AsyncGenerator<Buffer> {
  for await (const chunk of sent) {
    growth.addSent(chunk.length)
    yield chunk
  }
}

type SentBody = Pick<FastifyRequest, 'body' | 'headers'>

/** A body in memory, until it is disposed of. */
interface WholeBody extends Disposable {
  readonly bytes: Buffer
  /** The limits by what was sent of it. */
  readonly growth: InflationLimit
  /** Counts memory that is taken by what is made of it. @throws ServiceError `overloaded`, `rate_limited` */
  hold(bytes: number): void
}

/** The part of the memory that all bodies may take; their events take as much again. */
const PART_OF_MEMORY = 1 / 8

/** The part of that which bodies of one caller may take, so that who sends many slowly leaves room to others. */
const PART_OF_CALLER = 1 / 2

export class WholeBodies {
  readonly #held: HeldBytes<{ caller: string; bytes: number }>

  /** @param memory how many bytes this process may use */
  constructor(memory = memoryBytes()) {
    const bytesMax = Math.min(BODY_BYTES_HELD_MAX, memory * PART_OF_MEMORY)
    this.#held = new HeldBytes({
      bytesMax,
      bytesPerCallerMax: bytesMax * PART_OF_CALLER,
      describe: ({ count }, isOwn) => `${count + 1} ${isOwn ? 'of its ' : ''}large requests are in memory`,
      instead: 'or in parts',
    })
  }

  /**
   * @param request whose body has not been read
   * @param caller whose share it takes
   * @throws ServiceError `too_large`, `overloaded`, `rate_limited`, and as `inflate` does
   */
  async read({ body, headers }: SentBody, bytesMax: number, caller: string): Promise<WholeBody> {
    const growth = new InflationLimit()
    const held = { caller, bytes: 0 }
    const hold = (bytes: number) => {
      this.#held.requireRoom(held, bytes)
      held.bytes += bytes
    }
    const release = () => this.#held.delete(held)
    this.#held.add(held)
    // One buffer for all pieces: an object for each would take a hundred times as much as pieces of one byte. What it had before it was
    // made larger is free at once, and not only when garbage is collected.
    let buffer = new ArrayBuffer(0)
    let size = 0
    try {
      for await (const chunk of inflate(body as Readable, headers['content-encoding'], growth, bytesMax)) {
        const from = size
        size += chunk.length
        if (size > buffer.byteLength) {
          const room = Math.min(Math.max(size, from * 2), bytesMax)
          hold(room - buffer.byteLength)
          buffer = buffer.transfer(room)
        }
        new Uint8Array(buffer).set(chunk, from)
      }
    } catch (error) {
      release()
      throw error
    }
    return { bytes: Buffer.from(buffer, 0, size), growth, hold, [Symbol.dispose]: release }
  }
}
