/**
 * Answers as JSON text whose shape the compiler knows. Rows are never parsed, so an answer is put together from text; what is put
 * where is checked against the contract's types all the same. What may be long is not one text but pieces of one, which are made
 * as they are sent.
 */
import type { Readable } from 'node:stream'
import type { DeepReadonly } from '@deployment-annotations/contract/schemas/parts'

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
export type JsonBody<T> = (Buffer | Readable) & { readonly [shape]: DeepReadonly<T> }

/** @returns the pieces as those of a value of this type */
export function asPieces<T>(pieces: AsyncIterable<Piece>): JsonPieces<T> {
  return pieces as JsonPieces<T>
}

type Members<T> = { [K in keyof T]: JsonText<T[K]> | JsonPieces<T[K]> }

/** @returns the object of these members, in their order; one that is undefined is left out */
export function objectOf<T extends object>(members: Members<T>): JsonPieces<T> {
  return asPieces(writeObject(members as Record<string, JsonText<unknown> | JsonPieces<unknown> | undefined>))
}

async function* writeObject(members: Record<string, string | AsyncIterable<Piece> | undefined>): AsyncGenerator<Piece> {
  let separator = '{'
  for (const [key, value] of Object.entries(members)) {
    if (value === undefined) continue
    yield `${separator}${JSON.stringify(key)}:`
    if (typeof value === 'string') yield value
    else yield* value
    separator = ','
  }
  yield separator === '{' ? '{}' : '}'
}

/** @returns the list of these items */
export function listOf<T>(items: Iterable<JsonPieces<T>>): JsonPieces<T[]> {
  return asPieces(writeList(items))
}

async function* writeList(items: Iterable<AsyncIterable<Piece>>): AsyncGenerator<Piece> {
  let separator = '['
  for (const item of items) {
    yield separator
    yield* item
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
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
