/**
 * JSON Schemas as plain data, each with the type of the values that it describes: small functions with a name for each form, whose
 * arguments are the words for the document, then the bounds in JSON Schema's own keywords. Deliberately not here: a validator, which the
 * service has, and the shape of any resource.
 */

declare const value: unique symbol
declare const client: unique symbol

/**
 * A JSON Schema.
 * @typeParam Value what the service reads or answers
 * @typeParam Client what a client is to send, which is narrower where rules hold that a schema cannot say; or what a client may rely on in
 *   an answer, which is less where the hosted service may leave members out
 */
export interface Schema<Value = unknown, Client = Value> {
  readonly [value]?: Value
  readonly [client]?: Client
  readonly [keyword: string]: unknown
}

/** The type of the values that a schema describes. */
export type Infer<S> = S extends Schema<infer Value, infer _> ? Value : never

/** The type of what a client sends by a schema, or may rely on. */
export type InferClient<S> = S extends Schema<infer _, infer Client> ? Client : never

/** An answer of which only these members are there whatever the service. */
export type Sure<Value, Names extends keyof Value> = Pick<Value, Names> & Partial<Value>

/** A member that may be absent. */
export interface Optional<Value> extends Schema<Value> {
  readonly [OPTIONAL]: true
}

/** The type of an answer, which nothing may change on its way. */
export type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T

export type Members = Readonly<Record<string, Schema>>

type OptionalNames<M> = { [K in keyof M]: M[K] extends Optional<unknown> ? K : never }[keyof M]
type Flat<T> = { [K in keyof T]: T[K] }

/** The type of an object with these members. */
type ObjectOf<M> = Flat<
  { -readonly [K in Exclude<keyof M, OptionalNames<M>>]: Infer<M[K]> } & { -readonly [K in OptionalNames<M>]?: Infer<M[K]> }
>

/** Bounds in the keywords of JSON Schema; a pattern may be an expression of JavaScript. */
interface Keywords {
  readonly pattern?: RegExp | string
  /** What the document says beside the other keywords, or in their place; see {@link DOCUMENTED}. */
  readonly documented?: object
  readonly [keyword: string]: unknown
}

/**
 * Keyword for what a schema says to readers of the OpenAPI document and not to the validator: rules that the service checks by
 * hand, because their errors say more than a validator's. Its members stand beside the others there; undefined removes one.
 */
export const DOCUMENTED = 'x-documented'

/** Keyword of a text that is a secret: errors do not show its value. */
export const SECRET_KEYWORD = { writeOnly: true } as const

/** Marks a member until its object is built. */
const OPTIONAL = 'x-optional'

/** @returns the schema with more keywords, or others in their place; what is documented is added to what is documented already */
export function refined<S extends Schema>(schema: S, { pattern, documented, ...keywords }: Keywords): S {
  return {
    ...schema,
    ...keywords,
    ...(pattern !== undefined && { pattern: pattern instanceof RegExp ? pattern.source : pattern }),
    ...(documented && { [DOCUMENTED]: { ...(schema[DOCUMENTED] as object | undefined), ...documented } }),
  }
}

function typed<Value, Client = Value>(type: string, description: string, keywords: Keywords): Schema<Value, Client> {
  return refined({ type, ...(description !== '' && { description }) }, keywords)
}

export function text(description = '', keywords: Keywords = {}): Schema<string> {
  return typed('string', description, keywords)
}

/** A whole number. */
export function whole(description = '', keywords: Keywords = {}): Schema<number> {
  return typed('integer', description, keywords)
}

export function number(description = '', keywords: Keywords = {}): Schema<number> {
  return typed('number', description, keywords)
}

export function flag(description = ''): Schema<boolean> {
  return typed('boolean', description, {})
}

/** A time in the forms of RFC 3339. */
export function time(description = '', keywords: Keywords = {}): Schema<string> {
  return text(description, { format: 'date-time', ...keywords })
}

/** The years that can be stored, as far as a pattern can say it: to the end of March 2262. */
const STORABLE_YEARS = '^(?:(?:19|20|21)\\d\\d|22[0-5]\\d|226[01])-|^2262-0[1-3]-'

/** A time that is sent to be stored. */
export function storableTime(description: string): Schema<string> {
  return time(description, { documented: { pattern: STORABLE_YEARS } })
}

/** One of a closed list of texts. */
export function oneOf<const Text extends string>(texts: readonly Text[], description = ''): Schema<Text> {
  return typed('string', description, { enum: [...texts] })
}

export function list<Item, Client = Item>(
  items: Schema<Item, Client>,
  description = '',
  keywords: Keywords = {},
): Schema<Item[], Client[]> {
  return typed('array', description, { items, ...keywords })
}

/** An object whose members have any names and one type. */
export function record<Value>(values: Schema<Value>, description = '', keywords: Keywords = {}): Schema<Record<string, Value>> {
  return typed('object', description, { additionalProperties: values, ...keywords })
}

export function anyOf<const S extends readonly Schema[]>(...forms: S): Schema<Infer<S[number]>> {
  return { anyOf: forms }
}

/** @returns JSON Schema that none of the other functions can say, with its type */
export function schemaOf<Value>(keywords: Keywords): Schema<Value> {
  return refined({}, keywords)
}

/** An object with these members, and any others. The document calls it by its title wherever it stands, if it has one. */
export function object<const M extends Members>(members: M, keywords: Keywords = {}): Schema<ObjectOf<M>> {
  const properties = Object.entries(members).map(([name, { [OPTIONAL]: _, ...schema }]) => [name, schema])
  const required = Object.keys(members).filter((name) => !(OPTIONAL in (members[name] as Schema)))
  const all = { type: 'object', ...(required.length > 0 && { required }), properties: Object.fromEntries(properties) }
  return refined(all, keywords)
}

/** An object that has no other members. */
export function closed<const M extends Members>(members: M, keywords: Keywords = {}): Schema<ObjectOf<M>> {
  return object(members, { additionalProperties: false, ...keywords })
}

/** An object that has no other members, which the document calls by this title. */
export function titled<const M extends Members>(title: string, members: M, keywords: Keywords = {}): Schema<ObjectOf<M>> {
  return closed(members, { title, ...keywords })
}

/** The body of a request: no other members, but for those that are null, which count as not sent. */
export function requestBody<const M extends Members>(title: string, members: M, keywords: Keywords = {}): Schema<ObjectOf<M>> {
  return refined(titled(title, members, NULLS), keywords)
}

/** @returns the members as they may be answered: each can be absent */
export function optional<const M extends Members>(members: M): { [K in keyof M]: Optional<Infer<M[K]>> } {
  const all = Object.entries(members).map(([name, schema]) => [name, { ...schema, [OPTIONAL]: true }])
  return Object.fromEntries(all)
}

/** @returns the members as they may be sent: each can be absent, or null, which counts as not sent and which no reader gets to see */
export function sent<const M extends Members>(members: M): { [K in keyof M]: Optional<Infer<M[K]>> } {
  const all = Object.entries(members).map(([name, schema]) => [name, orNull(schema)])
  return optional(Object.fromEntries(all) as M)
}

const EMPTY: Readonly<Record<string, unknown>> = { string: '', boolean: false, integer: 0, number: 0, array: [] }

/** @returns each of the members without anything in it: no text, no items, false, 0 */
export function emptyOf<const M extends Members>(members: M): { readonly [K in keyof M]: Infer<M[K]> } {
  const all = Object.entries(members).map(([name, { type }]): [string, unknown] => [name, EMPTY[String(type)]])
  return Object.fromEntries(all) as { readonly [K in keyof M]: Infer<M[K]> }
}

/** @returns the schema of a member that may also be sent as null, which counts as not sent and which no reader gets to see */
function orNull<Value>(schema: Schema<Value>): Schema<Value> {
  const { type, enum: values, [DOCUMENTED]: documented } = schema
  const { anyOf: forms } = (documented ?? {}) as { anyOf?: unknown[] }
  return refined(schema, {
    documented: {
      type: [type, 'null'],
      ...(Array.isArray(values) && { enum: [...values, null] }),
      ...(forms && { anyOf: [...forms, { type: 'null' }] }),
    },
  })
}

/** @returns the schema for the document alone: the service reads the value itself, because its rules are more than a schema can say */
export function byHand<Value>(schema: Schema<Value>): Schema<unknown, Value> {
  return { [DOCUMENTED]: schema }
}

/** Null alone, for the document: of the type "null" generators of clients make types that do not compile. */
export const ONLY_NULL = { enum: [null] } as const

/** Of an object that is sent: a member that it does not have may be null too, because null counts as not sent. */
export const NULLS = { documented: { additionalProperties: ONLY_NULL } } as const

/** A text without control characters, as far as a pattern can say it. */
export const PLAIN_TEXT = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

/**
 * @returns for the document, what else holds of an object whose members obey `condition`, and of the others. It is a condition and not a
 *   choice of forms, of which generators of clients make types that lack the other members.
 */
export function when(condition: object, holds: object, otherwise?: object): object {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: condition, then: holds, ...(otherwise && { else: otherwise }) }
}

/** @returns of an object, that these members are there and obey these schemas */
export function has(members: Readonly<Record<string, object>>): object {
  return { required: Object.keys(members), properties: members }
}
