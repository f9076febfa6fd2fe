/**
 * Where attributes go, as the hosted service has it: those of OpenTelemetry's semantic conventions are fields of their own
 * (`attributes.http.method`), all others are in one object under their full names (`['attributes.custom']['my.name']`). Of a resource,
 * `service.*` and `telemetry.*` stand at the top.
 */
import { nameOf } from './json-text.ts'
import type { Members } from './members.ts'
import { KeyValue } from './messages.ts'
import { ABSENT, type Places, type Source } from './source.ts'
import { isSame } from './wire.ts'

/** @returns the names of the semantic conventions, deprecated ones included. Loaded when they are needed: a start does without */
export async function loadConventions(): Promise<ReadonlySet<string>> {
  const names = await import('@opentelemetry/semantic-conventions/incubating')
  const known = Object.entries(names).flatMap(([key, name]) =>
    key.startsWith('ATTR_') && typeof name === 'string' ? [name] : [],
  )
  return new Set(known)
}

const TOP = /^(?:service|telemetry)\./
const CUSTOM = nameOf('custom')
const { key: KEY } = KeyValue.fields

/** A name of the semantic conventions. */
interface Convention {
  readonly bytes: Buffer
  /** Its whole name as a member, and each of its parts. */
  readonly member: Buffer
  readonly parts: readonly string[]
  readonly members: readonly Buffer[]
  /** Its place among all of them, where those that begin alike are next to each other, the shortest first. */
  readonly rank: number
  readonly isTop: boolean
}

/** A name that was read, and the convention that it is. */
interface KnownName {
  readonly bytes: Buffer
  readonly convention: Convention | undefined
}

/** How many names are remembered, and how long they may be. */
const NAMES_REMEMBERED = 64
const NAME_BYTES_REMEMBERED = 128

/** Places of names and values that are to be written. An array that is emptied is made anew, so these are only counted. */
class Pairs {
  readonly conventions: Convention[] = []
  readonly keys: number[] = []
  readonly values: number[] = []
  count = 0

  add(key: number, value: number): void {
    this.keys[this.count] = key
    this.values[this.count++] = value
  }

  /** Keeps the conventions in the order of their ranks, and equal ones in that in which they came. */
  addConvention(convention: Convention, value: number): void {
    const { conventions, values } = this
    let at = this.count++
    while (at > 0 && (conventions[at - 1] as Convention).rank > convention.rank) {
      conventions[at] = conventions[at - 1] as Convention
      values[at] = values[at - 1] as number
      at--
    }
    conventions[at] = convention
    values[at] = value
  }
}

export class Attributes {
  readonly #known = new Map<number, Convention[]>()
  /** Reused for all events, because none is read while another one is. */
  readonly #top = new Pairs()
  readonly #nested = new Pairs()
  readonly #custom = new Pairs()
  /** The names of the attributes before, each at its place: most items have the same ones in the same order. */
  readonly #names: KnownName[] = []
  readonly #resourceNames: KnownName[] = []

  constructor(names: ReadonlySet<string>) {
    // A dot is before all that names may have, so that what goes on from a name comes directly after it.
    const sorted = [...names].sort((a, b) => compare(a.replaceAll('.', '\0'), b.replaceAll('.', '\0')))
    for (const [rank, name] of sorted.entries()) {
      const parts = name.split('.')
      const bytes = Buffer.from(name)
      const hash = hashOf(bytes, 0, bytes.length)
      const convention = { bytes, member: nameOf(name), parts, members: parts.map(nameOf), rank, isTop: TOP.test(name) }
      this.#known.set(hash, [...(this.#known.get(hash) ?? []), convention])
    }
  }

  /** Writes an object, unless there are none. */
  write(name: Buffer, pairs: Places, members: Members): void {
    if (pairs.count === 0) return
    this.#sort(pairs, members, false)
    members.openMember(name)
    this.#writeTree(this.#nested, members)
    members.close()
  }

  /** Writes members of the event: `service`, `telemetry` and `resource`. @param more writes those of the resource */
  writeResource(name: Buffer, pairs: Places, members: Members, more: () => void): void {
    this.#sort(pairs, members, true)
    members.object(name, () => {
      this.#writeTree(this.#nested, members)
      more()
    })
    this.#custom.count = 0
    this.#writeTree(this.#top, members)
  }

  #sort(pairs: Places, { source }: Members, isResource: boolean): void {
    this.#top.count = this.#nested.count = this.#custom.count = 0
    const names = isResource ? this.#resourceNames : this.#names
    for (let i = 0; i < pairs.count; i++) {
      source.pair(pairs.at(i))
      const { keyAt, valueAt } = source
      let convention: Convention | undefined
      if (keyAt !== ABSENT) {
        source.text(keyAt, KEY)
        convention = this.#conventionOf(source, names, i)
      }
      if (!convention) this.#custom.add(keyAt, valueAt)
      else (isResource && convention.isTop ? this.#top : this.#nested).addConvention(convention, valueAt)
    }
  }

  /** Of the text that the source found last. */
  #conventionOf(
    { textBytes: bytes, textFrom: from, textTo: to }: Source,
    names: KnownName[],
    at: number,
  ): Convention | undefined {
    const known = names[at]
    if (known && isSame(known.bytes, bytes, from, to)) return known.convention
    const convention = this.#find(bytes, from, to)
    if (at < NAMES_REMEMBERED && to - from <= NAME_BYTES_REMEMBERED)
      names[at] = { bytes: Buffer.from(bytes.subarray(from, to)), convention }
    return convention
  }

  #find(bytes: Buffer, from: number, to: number): Convention | undefined {
    const bucket = this.#known.get(hashOf(bytes, from, to))
    if (bucket) for (const one of bucket) if (isSame(one.bytes, bytes, from, to)) return one
    return undefined
  }

  /**
   * Where one name goes on from another (`db.system`, `db.system.name`), one place cannot hold both a value and an object: the shorter
   * one is written under its whole name, among the custom ones. Of two equal names the last one counts.
   */
  #writeTree(pairs: Pairs, members: Members): void {
    const { conventions, values, count } = pairs
    let displaced: number[] | undefined
    let open: Convention | undefined
    let depth = 0
    for (let i = 0; i < count; i++) {
      const convention = conventions[i] as Convention
      const next = i + 1 < count ? (conventions[i + 1] as Convention) : undefined
      if (next === convention) continue
      if (next && goesOn(convention, next)) {
        displaced ??= []
        displaced.push(i)
        continue
      }
      const { parts, members: names } = convention
      const last = parts.length - 1
      let shared = 0
      while (shared < depth && shared < last && open?.parts[shared] === parts[shared]) shared++
      for (; depth > shared; depth--) members.close()
      for (; depth < last; depth++) members.openMember(names[depth] as Buffer)
      members.any(names[last] as Buffer, values[i] as number)
      open = convention
    }
    for (; depth > 0; depth--) members.close()
    if (displaced || this.#custom.count > 0) this.#writeCustom(displaced ?? [], pairs, members)
  }

  #writeCustom(displaced: readonly number[], { conventions, values }: Pairs, members: Members): void {
    const custom = this.#custom
    members.openMember(CUSTOM)
    for (let i = 0; i < custom.count; i++) members.pair(custom.keys[i] as number, custom.values[i] as number)
    for (const i of displaced) members.any((conventions[i] as Convention).member, values[i] as number)
    members.close()
  }
}

/** Whether a name goes on from another. */
function goesOn({ parts }: Convention, next: Convention): boolean {
  if (next.parts.length <= parts.length) return false
  for (let i = parts.length - 1; i >= 0; i--) if (parts[i] !== next.parts[i]) return false
  return true
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** FNV-1a. */
function hashOf(bytes: Buffer, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193)
  return hash
}
