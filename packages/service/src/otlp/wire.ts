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

/** A field with the name that it has in JSON, and the number of that name: see {@link nameAt}. All have the same members. */
export interface NamedField {
  readonly id: number
  readonly type: Field['type']
  readonly message: string | undefined
  readonly isRepeated: boolean
  readonly name: string
  readonly nameId: number
}

const described = new Map<string, Message<Fields>>()
let root: protobuf.Root | undefined

/** The names of all fields by their numbers, of which 0 is none, each with the quote after it. */
const names: Buffer[] = [Buffer.alloc(0)]
const nameIds = new Map<string, number>()
/** The numbers of names by how they begin. */
const beginnings: number[][] = Array.from({ length: 256 }, () => [])
const beginningOf = (bytes: Buffer, from: number) =>
  (((bytes[from] as number) << 3) ^ (bytes[from + 1] as number)) & (beginnings.length - 1)

/** @returns the number of a name, the same in all messages; 0 for one that none has */
export const nameIdOf = (name: string): number => nameIds.get(name) ?? 0

/** @returns the number of the name that is in quotes at `quote`; 0 for one that no message has, or that is not written as itself */
export function nameAt(bytes: Buffer, quote: number): number {
  const from = quote + 1
  const known = beginnings[beginningOf(bytes, from)] as number[]
  for (let i = 0; i < known.length; i++) {
    const id = known[i] as number
    const name = names[id] as Buffer
    let at = 0
    while (at < name.length && name[at] === bytes[from + at]) at++
    if (at === name.length) return id
  }
  return 0
}

/** @returns how many bytes a name takes with its quotes */
export const nameBytes = (id: number): number => (names[id] as Buffer).length + 1

function addName(name: string): number {
  const known = nameIds.get(name)
  if (known !== undefined) return known
  const id = names.push(Buffer.from(`${name}"`)) - 1
  nameIds.set(name, id)
  beginnings[beginningOf(names[id] as Buffer, 0)]?.push(id)
  return id
}

export class Message<F extends Fields> {
  readonly name: string
  readonly fields: { readonly [K in keyof F]: NamedField }
  readonly #byId: (NamedField | undefined)[] = []
  readonly #byName: (NamedField | undefined)[] = []

  constructor(name: string, fields: F) {
    this.name = name
    const named = Object.entries(fields).map(([key, { id, type, message, isRepeated = false }]) => {
      return [key, { id, type, message, isRepeated, name: key, nameId: addName(key) }] as const
    })
    this.fields = Object.fromEntries(named) as never
    for (const [, field] of named) {
      this.#byId[field.id] = field
      this.#byName[field.nameId] = field
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

  /** @param nameId see {@link nameAt} */
  withName(nameId: number): NamedField | undefined {
    return this.#byName[nameId]
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
