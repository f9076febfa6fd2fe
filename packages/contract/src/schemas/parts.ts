/**
 * What the schemas of several resources have in common: times, names of datasets, null that counts as not sent, and what only
 * the document says. Deliberately not here: the shape of any one resource.
 */
import type { Static, TSchema, TUnsafe } from 'typebox'
import {
  DATASET_NAME_CHARACTERS,
  DATASET_NAME_LENGTH_MAX,
  DATASET_NAME_LENGTH_MIN,
  DATASET_NAME_PATTERN,
} from '../dataset-name.ts'
import { RELATIVE_TIME_PATTERN } from '../relative-time.ts'
import { PERMISSIONS } from '../rules/token.ts'
import Type from './type.ts'

/**
 * Keyword for what a schema says to readers of the OpenAPI document and not to the validator: rules that the service checks by
 * hand, because their errors say more than a validator's. Its members stand beside the others there.
 */
export const DOCUMENTED = 'x-documented'

/** @returns the schema of a member that may also be sent as null, which counts as not sent and which no reader gets to see */
export function orNull<T extends TSchema>(schema: T): TUnsafe<Static<T>> {
  const { type, enum: values, [DOCUMENTED]: documented } = schema as Record<string, unknown>
  const { anyOf: forms } = (documented ?? {}) as { anyOf?: unknown[] }
  const nullable = {
    type: [type, 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
    ...(forms && { anyOf: [...forms, { type: 'null' }] }),
  }
  return Type.Unsafe<Static<T>>({ ...schema, [DOCUMENTED]: { ...(documented as object | undefined), ...nullable } })
}

/** Of a body whose members may be null: one that is not known may be too, because null counts as not sent. */
export const NO_OTHERS = { additionalProperties: false, [DOCUMENTED]: { additionalProperties: { type: 'null' } } } as const

/** A text without control characters, as far as a pattern can say it. */
export const PLAIN_TEXT = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

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

/** A time as queries take it, for the document: RFC 3339, or relative to now. */
export const TIME_OR_RELATIVE = [
  { type: 'string', format: 'date-time' },
  { type: 'string', pattern: RELATIVE_TIME_PATTERN.source },
]

/** The years that can be stored, as far as a pattern can say it: to the end of March 2262. */
const STORABLE_YEARS = '^(?:(?:19|20|21)\\d\\d|22[0-5]\\d|226[01])-|^2262-0[1-3]-'

/** A time that is sent to be stored. */
export function StorableTime(description: string) {
  return Type.String({ format: 'date-time', description, [DOCUMENTED]: { pattern: STORABLE_YEARS } })
}

/** In three rules, because each has a validation code of its own. */
export const DatasetName = Type.String({
  minLength: DATASET_NAME_LENGTH_MIN,
  maxLength: DATASET_NAME_LENGTH_MAX,
  pattern: DATASET_NAME_CHARACTERS,
})

/** A dataset as a part of a path. */
export const DatasetNameParams = Type.Object({
  name: Type.String({ description: 'Name of the dataset.', pattern: DATASET_NAME_PATTERN.source }),
})

/** A resource by its id as a part of a path. */
export function IdParams(pattern: RegExp, description: string) {
  return Type.Object({ id: Type.String({ description, pattern: pattern.source }) })
}

export const Permission = OneOf(PERMISSIONS)

/** What is answered is not changed on its way. */
export type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T
