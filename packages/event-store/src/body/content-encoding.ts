/**
 * The bytes of a request's body, decompressed by its Content-Encoding with bounded output, so that a bomb is refused while it inflates.
 * They come piece by piece, or held in memory as a whole if a format cannot be read in pieces. Deliberately not here: the content of
 * the body.
 */

import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { BODY_BYTES_HELD_MAX } from '@deployment-annotations/runtime/concurrency/bounds'
import { quoted, refuseForNow, ServiceError } from '@deployment-annotations/runtime/errors'
import { memoryBytes } from '../engine/engine-memory.ts'
import { BODY_BYTES_MAX, COUNTED, INFLATE_BYTES_FREE, INFLATE_RATIO_MAX } from '../scan/limits.ts'

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

  /** @param count of the events, or messages of OTLP, of the body so far @throws ServiceError `too_large` */
  requireFew(what: keyof typeof COUNTED, count: number): void {
    const { perByte, free } = COUNTED[what]
    if (!this.#isCompressed || count <= free + this.#sent * perByte) return
    throw new ServiceError(
      'too_large',
      `${this.#sent} compressed bytes hold over ${count} ${what}; ${perByte} a byte and ${free} more are accepted: send it in parts, or uncompressed`,
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
      if (stages.length > 0) growth.requireBytes(taken)
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
  /** The limits by what was sent of it. */
  readonly growth: InflationLimit
  /** Counts memory that is taken by what is made of it. @throws ServiceError `overloaded`, `rate_limited` */
  hold(bytes: number): void
}

/** Each buffer of a body is as large as all before it, up to this. */
const BUFFER_BYTES_MAX = 1_048_576

/** The part of the memory that all bodies may take; their events take as much again. */
const PART_OF_MEMORY = 1 / 8

/** The part of that which bodies of one caller may take, so that who sends many slowly leaves room to others. */
const PART_OF_CALLER = 1 / 2

export class WholeBodies {
  readonly #heldMax: number
  /** How many bytes are held, and of how many bodies: of each caller, and of all together as `undefined`. */
  readonly #held = new Map<string | undefined, { bytes: number; count: number }>()

  /** @param memory how many bytes this process may use */
  constructor(memory = memoryBytes()) {
    this.#heldMax = Math.min(BODY_BYTES_HELD_MAX, memory * PART_OF_MEMORY)
  }

  /**
   * @param encoding its Content-Encoding header
   * @param caller whose share it takes
   * @throws ServiceError `too_large`, `overloaded`, `rate_limited`, and as `inflate` does
   */
  async read(body: Readable, encoding: string | undefined, bytesMax: number, caller: string): Promise<WholeBody> {
    // Few buffers for all pieces: an object for each would take a hundred times as much as pieces of one byte. None is made larger,
    // because a body that arrives slowly would hold the garbage of that too, which nobody counts.
    const buffers: Buffer[] = []
    let room = 0
    let size = 0
    let held = 0
    const hold = (more: number) => {
      this.#requireRoom(caller, more)
      this.#add(caller, more, 0)
      held += more
    }
    const release = () => this.#add(caller, -held, -1)
    this.#add(caller, 0, 1)
    const growth = new InflationLimit()
    try {
      for await (const chunk of inflate(body, encoding, growth)) {
        if (size + chunk.length > bytesMax)
          throw new ServiceError('too_large', `the body has more than ${bytesMax} bytes; send it in parts`)
        // Copied, because decoders reuse their memory.
        for (let at = 0; at < chunk.length; ) {
          if (room === 0) {
            room = Math.min(Math.max(size, chunk.length - at), BUFFER_BYTES_MAX, bytesMax - size)
            hold(room)
            buffers.push(Buffer.allocUnsafeSlow(room))
          }
          const last = buffers.at(-1) as Buffer
          const copied = chunk.copy(last, last.length - room, at)
          room -= copied
          size += copied
          at += copied
        }
      }
    } catch (error) {
      release()
      throw error
    }
    const bytes = buffers.length === 1 ? (buffers[0] as Buffer).subarray(0, size) : Buffer.concat(buffers, size)
    return { bytes, growth, hold, [Symbol.dispose]: release }
  }

  /** A caller, or all together, may always have one body. */
  #requireRoom(caller: string, bytes: number): void {
    const held = (key?: string) => this.#held.get(key) ?? { bytes: 0, count: 0 }
    const [own, all] = [held(caller), held()]
    if (own.bytes + bytes > this.#heldMax * PART_OF_CALLER && own.count > 1)
      throw refuseForNow('rate_limited', `${own.count} of its large requests are in memory`, { instead: 'or in parts' })
    if (all.bytes + bytes > this.#heldMax && all.count > 1)
      throw refuseForNow('overloaded', `${all.count} large requests are in memory`, { instead: 'or in parts' })
  }

  #add(caller: string, bytes: number, count: number): void {
    for (const key of [caller, undefined]) {
      const held = this.#held.get(key) ?? { bytes: 0, count: 0 }
      if (held.count + count === 0) this.#held.delete(key)
      else this.#held.set(key, { bytes: held.bytes + bytes, count: held.count + count })
    }
  }
}
