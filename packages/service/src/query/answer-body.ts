/**
 * An answer on its way to its reader: short ones are sent whole, long ones as they are made, no faster than they are taken. What an
 * answer holds is given back when it has gone out, or its reader has gone.
 */
import { Readable } from 'node:stream'
import type { JsonBody, JsonPieces, Piece } from './answer-text.ts'

/** Made as it is sent. The caller disposes of it. */
export interface Answer<T> extends AsyncDisposable {
  pieces: JsonPieces<T>
}

export interface Sending {
  /** An answer that is under way has failed. */
  onFault(error: unknown): void
}

/** Sent at a time. */
const PART_BYTES = 65_536

/** @throws what the answer fails with before anything of it is sent */
export async function bodyOf<T>(answer: Answer<T>, sending: Sending): Promise<JsonBody<T>> {
  const parts = joinPieces(answer.pieces)
  try {
    const first = await parts.next()
    const second = first.done ? first : await parts.next()
    if (!second.done) return streamOf(answer, [first.value as Buffer, second.value], parts, sending) as unknown as JsonBody<T>
    await answer[Symbol.asyncDispose]()
    return (first.value ?? Buffer.alloc(0)) as unknown as JsonBody<T>
  } catch (error) {
    await answer[Symbol.asyncDispose]()
    throw error
  }
}

function streamOf(answer: AsyncDisposable, begun: Buffer[], rest: AsyncGenerator<Buffer>, sending: Sending): Readable {
  const write = async function* () {
    yield* begun.splice(0)
    try {
      yield* rest
    } catch (error) {
      sending.onFault(error)
      throw error
    }
  }
  const stream = Readable.from(write(), { objectMode: false, highWaterMark: PART_BYTES })
  return stream.once('close', async () => {
    await rest.return(undefined)
    await answer[Symbol.asyncDispose]()
  })
}

/** Parts of a useful size; the last may be smaller. */
async function* joinPieces(pieces: AsyncIterable<Piece>): AsyncGenerator<Buffer> {
  let text = ''
  const takeText = () => {
    const bytes = Buffer.from(text)
    text = ''
    return bytes
  }
  for await (const piece of pieces) {
    if (typeof piece === 'string') text += piece
    else if (piece.length < PART_BYTES) text += Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString()
    else {
      if (text !== '') yield takeText()
      for (let at = 0; at < piece.length; at += PART_BYTES) yield Buffer.from(piece.subarray(at, at + PART_BYTES))
    }
    if (text.length >= PART_BYTES) yield takeText()
  }
  if (text !== '') yield takeText()
}
