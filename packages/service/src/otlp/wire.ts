/**
 * Describes messages of OTLP as data, and reads them from both of its encodings: protobuf by way of protobufjs, and JSON by the same
 * descriptions. A list of `raw` items stays as it came, so that a request of any size is read one item at a time.
 * Integers of 64 bits keep every digit, and bytes that are not UTF-8 where a text is expected are an error.
 * Deliberately not here: which messages there are.
 */
import protobuf from 'protobufjs/light.js'

/** A message as it came: the bytes of protobuf, or an object of JSON. */
export type RawMessage = Uint8Array | Readonly<Record<string, unknown>>

/** An integer of 64 bits, exact in its decimal text. */
export type Int64 = { toString(): string }

/** A request that cannot be read; the message says where and why. */
export class WireError extends Error {}

interface Field<T> {
  readonly id: number
  readonly type: string
  readonly isRepeated?: true
  /** @throws WireError */
  fromJson(value: unknown, name: string, depth: number): T
}

type Fields = Readonly<Record<string, Field<unknown>>>

/** What was read: only what was sent is there. Protobuf has the neutral value for what was not, where it is asked for. */
export type ReadMessage<F> = { readonly [K in keyof F]?: F[K] extends Field<infer T> ? T : never }

/** Messages within messages, as deep as protobufjs goes. */
const DEPTH_MAX = 100

const described = new Map<string, Message<Fields>>()
let root: protobuf.Root | undefined

export class Message<F extends Fields> {
  readonly name: string
  readonly fields: F
  #type: protobuf.Type | undefined

  constructor(name: string, fields: F) {
    this.name = name
    this.fields = fields
    described.set(name, this as unknown as Message<Fields>)
  }

  /** @throws WireError */
  read(raw: RawMessage): ReadMessage<F> {
    return raw instanceof Uint8Array ? this.#decode(raw) : this.fromJson(raw, this.name, 0)
  }

  /** @param message members by name @returns it in protobuf */
  encode(message: object): Uint8Array {
    return this.#protobuf.encode(message).finish()
  }

  /** Members that are not described are ignored, as the protocol wants it. @throws WireError */
  fromJson(value: unknown, name: string, depth: number): ReadMessage<F> {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unexpected(name, 'an object', value)
    if (depth > DEPTH_MAX) throw new WireError(`${name} is nested more than ${DEPTH_MAX} levels deep`)
    const read: Record<string, unknown> = {}
    for (const [key, member] of Object.entries(value)) {
      const field = Object.hasOwn(this.fields, key) ? this.fields[key] : undefined
      if (!field || member === null) continue
      read[key] = field.isRepeated ? eachOf(field, member, key, depth) : field.fromJson(member, key, depth)
    }
    return read as ReadMessage<F>
  }

  #decode(bytes: Uint8Array): ReadMessage<F> {
    try {
      return this.#protobuf.decode(bytes) as unknown as ReadMessage<F>
    } catch (cause) {
      throw new WireError(`${this.name} is not valid protobuf: ${(cause as Error).message}`, { cause })
    }
  }

  get #protobuf(): protobuf.Type {
    root ??= protobuf.Root.fromJSON({ edition: '2023', nested: Object.fromEntries([...described].map(describe)) } as never)
    this.#type ??= root.lookupType(this.name)
    return this.#type
  }
}

/** As protobufjs takes it. In this edition texts are held to UTF-8, and what was not sent is told from what is zero. */
function describe([name, { fields }]: [string, Message<Fields>]): [string, object] {
  const entries = Object.entries(fields).map(([key, { id, type, isRepeated }]) => {
    return [key, { id, type, ...(isRepeated && { rule: 'repeated' }) }]
  })
  return [name, { edition: '2023', fields: Object.fromEntries(entries) }]
}

function eachOf(field: Field<unknown>, value: unknown, name: string, depth: number): unknown[] {
  if (!Array.isArray(value)) throw unexpected(name, 'an array', value)
  return value.map((item, index) => field.fromJson(item, `${name}[${index}]`, depth))
}

export const string = (id: number): Field<string> => ({ id, type: 'string', fromJson: readText })
export const bool = (id: number): Field<boolean> => ({ id, type: 'bool', fromJson: readBool })
export const bytes = (id: number): Field<Uint8Array> => ({ id, type: 'bytes', fromJson: readBase64 })
/** The id of a trace or a span: JSON has it in hexadecimal digits. */
export const hexId = (id: number): Field<Uint8Array> => ({ id, type: 'bytes', fromJson: readHex })
export const double = (id: number): Field<number> => ({ id, type: 'double', fromJson: readDouble })

type Small = 'int32' | 'uint32' | 'sint32' | 'fixed32'
export const int = (id: number, type: Small = 'int32'): Field<number> => ({
  id,
  type,
  fromJson: (value, name) => Number(readInteger(value, name)),
})

type Large = 'int64' | 'uint64' | 'fixed64' | 'sfixed64'
export const int64 = (id: number, type: Large): Field<Int64> => ({ id, type, fromJson: readInteger })

/** A message in a message. */
export function one<F extends Fields>(id: number, message: Message<F>): Field<ReadMessage<F>> {
  return { id, type: message.name, fromJson: (value, name, depth) => message.fromJson(value, name, depth + 1) }
}

/** The same for one that is described further down, by its name. */
export function later<T>(id: number, name: string): Field<T> {
  return { id, type: name, fromJson: (value, key, depth) => described.get(name)?.fromJson(value, key, depth + 1) as T }
}

export function repeated<T>(field: Field<T>): Field<readonly T[]> {
  return { ...(field as unknown as Field<readonly T[]>), isRepeated: true }
}

/** Messages that are read later, one by one. */
export function raw(id: number): Field<readonly RawMessage[]> {
  return { id, type: 'bytes', isRepeated: true, fromJson: (value) => value as never }
}

function readText(value: unknown, name: string): string {
  if (typeof value === 'string') return value
  throw unexpected(name, 'a string', value)
}

function readBool(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value
  throw unexpected(name, 'true or false', value)
}

function readBase64(value: unknown, name: string): Uint8Array {
  const text = readText(value, name)
  if (/^[\w+/-]*=*$/.test(text)) return Buffer.from(text, 'base64')
  throw unexpected(name, 'bytes in base64', value)
}

function readHex(value: unknown, name: string): Uint8Array {
  const text = readText(value, name)
  if (/^(?:[\da-f]{2})*$/i.test(text)) return Buffer.from(text, 'hex')
  throw unexpected(name, 'an id in hexadecimal digits', value)
}

function readDouble(value: unknown, name: string): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value === 'NaN') return Number.NaN
  if (value === 'Infinity' || value === '-Infinity') return value === 'Infinity' ? Infinity : -Infinity
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  if (Number.isNaN(number)) throw unexpected(name, 'a number', value)
  return number
}

/** The protocol writes them as strings, and takes numbers as well. */
function readInteger(value: unknown, name: string): bigint | number | string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return value as bigint | number
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value)
  throw unexpected(name, 'a whole number', value)
}

function unexpected(name: string, expected: string, value: unknown): WireError {
  const got = typeof value === 'object' ? (Array.isArray(value) ? 'an array' : String(value && 'an object')) : String(value)
  return new WireError(`${name} must be ${expected}, got ${got.slice(0, 100)}`)
}
