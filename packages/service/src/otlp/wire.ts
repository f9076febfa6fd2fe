/**
 * Describes messages of OTLP as data: what each field is called in JSON, its number in protobuf, and its type. The sources read both
 * encodings by these descriptions (protobuf-source.ts, json-source.ts); answers are written by way of protobufjs.
 * Deliberately not here: which messages there are.
 */
import protobuf from 'protobufjs/light.js'

/** A request that cannot be read; the message says where and why. */
export class WireError extends Error {}

/** `id` is that of a trace or a span: bytes, which JSON has in hexadecimal digits. */
type Scalar = 'string' | 'bool' | 'bytes' | 'id' | 'double' | Small | Large
type Small = 'int32' | 'uint32' | 'sint32' | 'fixed32'
type Large = 'int64' | 'uint64' | 'fixed64' | 'sfixed64'

export interface Field {
  readonly id: number
  readonly type: Scalar | 'message'
  /** The name of the message, where it is one. */
  readonly message?: string
  readonly isRepeated?: true
}

export type Fields = Readonly<Record<string, Field>>

/** A field with the name that it has in JSON. */
export interface NamedField extends Field {
  readonly name: string
  readonly nameBytes: Buffer
}

const described = new Map<string, Message<Fields>>()
let root: protobuf.Root | undefined

export class Message<F extends Fields> {
  readonly name: string
  readonly fields: { readonly [K in keyof F]: NamedField }
  readonly #byId: (NamedField | undefined)[] = []
  /** By the length and the first byte of the name. */
  readonly #byName: (NamedField[] | undefined)[] = new Array(BUCKETS)

  constructor(name: string, fields: F) {
    this.name = name
    const named = Object.entries(fields).map(
      ([key, field]) => [key, { ...field, name: key, nameBytes: Buffer.from(key) }] as const,
    )
    this.fields = Object.fromEntries(named) as never
    for (const [, field] of named) {
      this.#byId[field.id] = field
      const hash = hashOf(field.nameBytes, 0, field.nameBytes.length)
      this.#byName[hash] = [...(this.#byName[hash] ?? []), field]
    }
    described.set(name, this as never)
  }

  /** The highest number of a field. */
  get idMax(): number {
    return this.#byId.length - 1
  }

  withId(id: number): NamedField | undefined {
    return this.#byId[id]
  }

  /** @returns the field whose name has these bytes */
  named(bytes: Buffer, from: number, to: number): NamedField | undefined {
    const bucket = this.#byName[hashOf(bytes, from, to)]
    if (bucket) for (const field of bucket) if (isSame(field.nameBytes, bytes, from, to)) return field
    return undefined
  }

  /** @param message members by name @returns it in protobuf */
  encode(message: object): Uint8Array {
    return this.protobuf.encode(message).finish()
  }

  get protobuf(): protobuf.Type {
    root ??= protobuf.Root.fromJSON({ edition: '2023', nested: Object.fromEntries([...described].map(describe)) } as never)
    return root.lookupType(this.name)
  }
}

/** A power of two. */
const BUCKETS = 1_024
const hashOf = (bytes: Buffer, from: number, to: number) => (((to - from) << 5) ^ (bytes[from] ?? 0)) & (BUCKETS - 1)

/** @returns whether the bytes from `from` to `to` are those of a name */
export function isSame(name: Buffer, bytes: Buffer, from: number, to: number): boolean {
  if (name.length !== to - from) return false
  for (let i = 0; i < name.length; i++) if (name[i] !== bytes[from + i]) return false
  return true
}

/** As protobufjs takes it. In this edition what was not sent is told from what is zero. */
function describe([name, message]: [string, Message<Fields>]): [string, object] {
  const entries = Object.values(message.fields).map(({ name: key, id, type, message: of, isRepeated }) => {
    return [key, { id, type: of ?? (type === 'id' ? 'bytes' : type), ...(isRepeated && { rule: 'repeated' }) }]
  })
  return [name, { edition: '2023', fields: Object.fromEntries(entries) }]
}

export const string = (id: number): Field => ({ id, type: 'string' })
export const bool = (id: number): Field => ({ id, type: 'bool' })
export const bytes = (id: number): Field => ({ id, type: 'bytes' })
export const hexId = (id: number): Field => ({ id, type: 'id' })
export const double = (id: number): Field => ({ id, type: 'double' })
export const int = (id: number, type: Small = 'int32'): Field => ({ id, type })
export const int64 = (id: number, type: Large): Field => ({ id, type })

/** A message in a message. */
export const one = (id: number, { name }: { name: string }): Field => ({ id, type: 'message', message: name })

export const repeated = (field: Field): Field => ({ ...field, isRepeated: true })
