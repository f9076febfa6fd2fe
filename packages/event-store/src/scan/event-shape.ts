/**
 * The result of scanning one event: its position, the reason if it cannot be stored, the changes before it is stored, and the positions
 * of its values. The bytes of the event are neither copied nor changed here.
 */

import { TYPE_BITS } from '../fields/field.ts'
import type { FieldNode } from '../fields/field-tree.ts'

/** A change of the stored event: the bytes from `from` to `to` become `put`. */
interface Edit {
  from: number
  to: number
  put: Buffer
}

/** The bytes of a value. */
interface Place {
  from: number
  to: number
}

/** A member of the top level, with its position and surroundings. */
interface Member {
  keyFrom: number
  keyTo: number
  from: number
  to: number
  commaBefore: number
  nextFrom: number
}

const NOTHING = Buffer.alloc(0)
const NULL = Buffer.from(JSON.stringify(null))
const USER_TIME = Buffer.from('"_user_time"')

export class EventShape {
  /** The buffer that has the event. */
  readonly buf: Buffer
  /** The position of its first byte. */
  readonly from: number
  /** The position after its last byte. */
  end: number
  /** The first reason why this event cannot be stored. */
  failure: string | undefined = undefined
  hasDuplicates = false
  isObject = false
  edits: Edit[] = []
  /** The members of the top level that have a role. */
  timeMember: Member | undefined = undefined
  wrapTimeMember: Member | undefined = undefined
  namedMember: Member | undefined = undefined
  /** The value of the named field, if it is nested. */
  namedValue: { from: number; to: number } | undefined = undefined
  /** The number of members, and of those that the contract's wrapper could have. */
  memberCount = 0
  wrapperCount = 0
  /** The position of the closing brace, where members could be added. */
  closeAt = 0
  /** Identifies this event's top level in {@link FieldNode.seenIn}. */
  objectId = 0

  constructor(buf: Buffer, from: number) {
    this.buf = buf
    this.from = from
    this.end = from
  }

  /** Whether the event is the contract's wrapper, whose `time` is its time. */
  get hasWrapperTime(): boolean {
    const { wrapTimeMember, timeMember, namedMember, namedValue } = this
    return wrapTimeMember !== undefined && !timeMember && !namedMember && !namedValue && this.wrapperCount === this.memberCount
  }

  /** Whether the event's own `_time` is stored under another name, because its time is elsewhere. */
  get hasUserTime(): boolean {
    return this.timeMember !== undefined && (this.namedMember ?? this.namedValue) !== undefined
  }

  /**
   * Finds the value of the event's time. Its member is removed, because it becomes `_time`.
   * @returns the position of the value; `undefined` if the event has no time of its own
   */
  takeTime(): { from: number; to: number } | undefined {
    const { timeMember, namedMember, wrapTimeMember } = this
    const own = namedMember ?? this.namedValue
    if (own) {
      if (namedMember) this.#cut(namedMember)
      // The event's `_time` is not its time then, but it is stored under another name.
      if (timeMember) this.edits.push({ from: timeMember.keyFrom, to: timeMember.keyTo, put: USER_TIME })
      return own
    }
    const member = timeMember ?? (this.hasWrapperTime ? wrapTimeMember : undefined)
    if (member) this.#cut(member)
    return member
  }

  /**
   * Takes values out of the event, by null in their place, which the engine does not store.
   * @param places in their order
   * @returns the text of each as it is stored, valid as long as the buffer
   */
  takeOut(places: readonly Place[]): Buffer[] {
    const edits = this.sortedEdits()
    this.edits = []
    let at = 0
    const texts = places.map(({ from, to }) => {
      while (at < edits.length && (edits[at] as Edit).from < from) this.edits.push(edits[at++] as Edit)
      const first = at
      while (at < edits.length && (edits[at] as Edit).to <= to) at++
      this.edits.push({ from, to, put: NULL })
      return edited(this.buf, { from, to }, edits.slice(first, at))
    })
    this.edits.push(...edits.slice(at))
    return texts
  }

  /** The edits in the order of their positions. */
  sortedEdits(): readonly Edit[] {
    return this.edits.length > 1 ? this.edits.sort(byPlace) : this.edits
  }

  #cut({ keyFrom, to, commaBefore, nextFrom }: Member): void {
    const [from, end] = commaBefore >= 0 ? [commaBefore, to] : [keyFrom, nextFrom]
    this.edits = this.edits.filter((edit) => edit.to <= from || edit.from >= end)
    this.edits.push({ from, to: end, put: NOTHING })
    this.memberCount--
  }
}

const byPlace = (a: Place, b: Place) => a.from - b.from

/** @param edits within the place, in their order. @returns the bytes there with the edits applied */
export function edited(buf: Buffer, { from, to }: Place, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return buf.subarray(from, to)
  const parts: Buffer[] = []
  let copied = from
  for (const edit of edits) {
    parts.push(buf.subarray(copied, edit.from), edit.put)
    copied = edit.to
  }
  return Buffer.concat([...parts, buf.subarray(copied, to)])
}

/** A bit beside the type: a string, or one in an array, has escapes. */
export const ESCAPED = 1 << 21

/** A bit beside the type: the value is not JSON; see {@link EventValues}. */
export const RAW = 1 << 24
/** A value that is not in the column `data`. */
export interface RestValue {
  node: FieldNode
  /** As JSON. */
  text: Buffer
}

/**
 * The values of an event. Each is JSON between two positions of its buffer, unless it is {@link RAW}: then a string is its characters in
 * UTF-8, and a number or a boolean is in place of the positions, as the lower and the upper half of its 64 bits.
 */
export class EventValues {
  readonly nodes: FieldNode[] = []
  /** Type bits; for an array also those of its elements. */
  readonly kinds: number[] = []
  readonly from: number[] = []
  readonly to: number[] = []
  length = 0
  /** Arrays of anything but scalars of one type. */
  arrays: (Place & { node: FieldNode })[] = []
  rest: RestValue[] = []

  /** Whether all values can be written in columns: the others are scalars, or arrays of scalars of one type. */
  get areSimple(): boolean {
    return this.arrays.length === 0
  }

  add(node: FieldNode, kind: number, from: number, to: number): void {
    const at = this.length++
    this.nodes[at] = node
    this.kinds[at] = kind
    this.from[at] = from
    this.to[at] = to
  }

  clear(): void {
    this.length = 0
    if (this.arrays.length > 0) this.arrays = []
    if (this.rest.length > 0) this.rest = []
  }

  /** Moves the values of these fields out of the event, to the rest of it. */
  takeOut(nodes: ReadonlySet<FieldNode>, shape: EventShape): void {
    const moved = this.arrays.filter(({ node }) => nodes.has(node))
    this.arrays = this.arrays.filter(({ node }) => !nodes.has(node))
    let kept = 0
    for (let i = 0; i < this.length; i++) {
      const [node, kind, from, to] = [
        this.nodes[i] as FieldNode,
        this.kinds[i] as number,
        this.from[i] as number,
        this.to[i] as number,
      ]
      if (nodes.has(node)) moved.push({ node, from, to })
      else {
        this.nodes[kept] = node
        this.kinds[kept] = kind
        this.from[kept] = from
        this.to[kept++] = to
      }
    }
    this.length = kept
    moved.sort(byPlace)
    const texts = shape.takeOut(moved)
    for (const [index, text] of texts.entries()) this.rest.push({ node: (moved[index] as { node: FieldNode }).node, text })
  }
}

const SIMPLE_ELEMENTS = new Set<number>([TYPE_BITS.string, TYPE_BITS.integer, TYPE_BITS.float, TYPE_BITS.boolean])

/** @param kinds bits of the elements of an array. @returns whether they are scalars of one type */
export function areSimpleElements(kinds: number): boolean {
  return SIMPLE_ELEMENTS.has(kinds)
}
