/**
 * Answers as JSON text whose shape the compiler knows, on their way to their reader: rows are never parsed; a short answer is sent
 * whole, a long one while it is made and no faster than its reader takes it.
 */
import { Readable } from 'node:stream'
import type { DeepReadonly } from '@deployment-annotations/contract/schema'

declare const shape: unique symbol

/** JSON text of a value of this type. */
export type JsonText<T> = string & { readonly [shape]: DeepReadonly<T> }

export function toJson<const T>(value: T): JsonText<T> {
  return JSON.stringify(value) as JsonText<T>
}

/** @returns the text as that of a value of this type: what the engine wrote, or what a template made of {@link KeyTexts} */
export function asJson<T>(text: string): JsonText<T> {
  return text as JsonText<T>
}

/** Pieces of the JSON text of a value of this type, each for one use. */
export type JsonPieces<T> = AsyncIterable<Piece> & { readonly [shape]: DeepReadonly<T> }
export type Piece = string | Uint8Array

/** JSON of a value of this type on its way: all of its bytes, or a stream of them. */
type JsonBody<T> = (Buffer | Readable) & { readonly [shape]: DeepReadonly<T> }

/** @returns the pieces as those of a value of this type */
export function asPieces<T>(pieces: AsyncIterable<Piece>): JsonPieces<T> {
  return pieces as JsonPieces<T>
}

type Members<T> = { [K in keyof T]: JsonText<T[K]> | JsonPieces<T[K]> }

/** @returns the object of these members, in their order; one that is undefined is left out */
export function objectOf<T extends object>(members: Members<T>): JsonPieces<T> {
  const set = Object.entries(members as Record<string, string | AsyncIterable<Piece> | undefined>)
  const written = set.flatMap(([key, value]) => (value === undefined ? [] : [[`${JSON.stringify(key)}:`, value] as const]))
  return asPieces(writeAll('{}', written))
}

/** @returns the list of these items */
export function listOf<T>(items: readonly JsonPieces<T>[]): JsonPieces<T[]> {
  const written = items.map((item) => ['', item] as const)
  return asPieces(writeAll('[]', written))
}

async function* writeAll(brackets: string, items: readonly (readonly [string, string | AsyncIterable<Piece>])[]) {
  let separator = brackets.slice(0, 1)
  for (const [start, item] of items) {
    yield separator + start
    if (typeof item === 'string') yield item
    else yield* item
    separator = ','
  }
  yield separator === ',' ? brackets.slice(1) : brackets
}

/** @returns the list of all these items, which come some at a time */
export function listOfBatches<T>(batches: AsyncIterable<readonly JsonText<T>[]>): JsonPieces<T[]> {
  return asPieces(writeBatches(batches))
}

async function* writeBatches(batches: AsyncIterable<readonly string[]>): AsyncGenerator<Piece> {
  let separator = '['
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield separator + batch.join(',')
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}

/** The keys of a type as text, for templates that write one object for each of many rows. */
export type KeyTexts<T> = { readonly [K in keyof T & string as K]-?: `"${K}":` }

/** Made as it is sent. The caller disposes of it. */
export interface JsonAnswer<T> extends AsyncDisposable {
  pieces: JsonPieces<T>
}

export interface AnswerStream {
  /** An answer that is under way has failed. */
  onFault(error: unknown): void
}

/** Sent at a time. */
const PART_BYTES = 65_536

/** @throws what the answer fails with before anything of it is sent */
export async function bodyOf<T>(answer: JsonAnswer<T>, sending: AnswerStream): Promise<JsonBody<T>> {
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

function streamOf(answer: AsyncDisposable, begun: Buffer[], rest: AsyncGenerator<Buffer>, sending: AnswerStream): Readable {
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
