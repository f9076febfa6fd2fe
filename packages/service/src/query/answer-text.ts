/**
 * Answers as JSON text whose shape the compiler knows. Rows are never parsed, so an answer is put together from text; what is put
 * where is checked against the contract's types all the same.
 */
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

type Members<T> = { [K in keyof T]: JsonText<T[K]> }

/** @returns the object of these members, in their order; one that is undefined is left out */
export function objectOf<T extends object>(members: Members<T>): JsonText<T> {
  const written = Object.entries<string | undefined>(members as Record<string, string | undefined>)
  const texts = written.flatMap(([key, text]) => (text === undefined ? [] : [`${JSON.stringify(key)}:${text}`]))
  return `{${texts.join(',')}}` as JsonText<T>
}

export function listOf<T>(items: readonly JsonText<T>[]): JsonText<T[]> {
  return `[${items.join(',')}]` as JsonText<T[]>
}

/** The keys of a type as text, for templates that write one object for each of many rows. */
export type KeyTexts<T> = { readonly [K in keyof T & string as K]-?: `"${K}":` }
