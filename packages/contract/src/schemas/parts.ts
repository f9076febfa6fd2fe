/**
 * Schemas that several resources share: times, names of datasets, keys in headers, null that counts as not sent, and
 * keywords for the document alone. Deliberately not here: the shape of any one resource.
 */
import type { Static, TOptional, TProperties, TSchema, TUnsafe } from 'typebox'
import { DATASET_NAME } from '../dataset-name.ts'
import { IDEMPOTENCY_KEY_HEADER, IDEMPOTENCY_KEY_PATTERN } from '../header.ts'
import { DOCUMENTED, ONLY_NULL, storableTime } from '../schema.ts'
import Type from './type.ts'

export { TIME_OR_RELATIVE } from '../relative-time.ts'
export { DOCUMENTED, has, ONLY_NULL, when } from '../schema.ts'

/** @returns the schema of a member that may also be sent as null, which counts as not sent and which no reader gets to see */
function orNull<T extends TSchema>(schema: T): TUnsafe<Static<T>> {
  const { type, enum: values, [DOCUMENTED]: documented } = schema as Record<string, unknown>
  const { anyOf: forms } = (documented ?? {}) as { anyOf?: unknown[] }
  const nullable = {
    type: [type, 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
    ...(forms && { anyOf: [...forms, { type: 'null' }] }),
  }
  return Type.Unsafe<Static<T>>({ ...schema, [DOCUMENTED]: { ...(documented as object | undefined), ...nullable } })
}

/** @returns the members as they may be sent: each can be left out, or null, which counts as not sent */
export function sent<T extends Record<string, TSchema>>(members: T): { [K in keyof T]: TOptional<TUnsafe<Static<T[K]>>> } {
  const all = Object.entries(members).map(([name, schema]) => [name, Type.Optional(orNull(schema))])
  return Object.fromEntries(all) as { [K in keyof T]: TOptional<TUnsafe<Static<T[K]>>> }
}

/** @returns an object that has no other members */
export function closed<T extends TProperties>(members: T, options: object = {}) {
  return Type.Object(members, { ...options, additionalProperties: false })
}

/** @returns an object of this title, with no other members */
export function titled<T extends TProperties>(title: string, members: T) {
  return closed(members, { title })
}

/** @returns the object that the document calls so where it is referred to, with no other members */
export function named<T extends TProperties>(name: string, description: string, members: T) {
  return closed(members, { $id: name, title: name, description })
}

/** @returns a body of this title, with no other members, of which each may be null */
export function requestBody<T extends TProperties>(title: string, members: T) {
  return Type.Object(members, { title, ...NO_OTHERS })
}

/** Options of a body whose members may be null: an unknown member may be null too, because null counts as not sent. */
const NO_OTHERS = { additionalProperties: false, [DOCUMENTED]: { additionalProperties: ONLY_NULL } } as const

/** @returns a reference to a schema that has an `$id`, with its type */
export function refTo<T extends TSchema>(schema: T): TUnsafe<Static<T>> {
  return Type.Unsafe<Static<T>>({ $ref: `${(schema as { $id?: string }).$id}#` })
}

/** One of a closed list of texts. */
export function OneOf<const T extends string[]>(values: readonly [...T], options: { description?: string } = {}) {
  return Type.Enum(values, { type: 'string', ...options })
}

/** A time as the service writes it. */
export function Time(description?: string) {
  return Type.String({ format: 'date-time', ...(description !== undefined && { description }) })
}

/** A time that is sent to be stored. */
export function StorableTime(description: string) {
  return Type.Unsafe<string>(storableTime(description))
}

export const DatasetName = Type.Unsafe<string>(DATASET_NAME)

/** The parameters of a path that names a resource by its id. */
export function IdParams(pattern: RegExp, description: string) {
  return Type.Object({ id: Type.String({ description, pattern: pattern.source }) })
}

/** The type of an answer, which nothing may change on its way. */
export type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T

const Key = (pattern: RegExp, maxLength: number, description: string) =>
  Type.Optional(Type.String({ description, minLength: 1, maxLength, pattern: pattern.source }))

/** The header of a request that may be repeated. */
export function IdempotencyKey(description: string) {
  return { [IDEMPOTENCY_KEY_HEADER]: Key(IDEMPOTENCY_KEY_PATTERN, 255, description) }
}
