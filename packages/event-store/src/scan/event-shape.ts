/**
 * What the scanner has found out about one event: where it is, why it cannot be stored, what must be changed before it is stored, and
 * where its values are. The bytes of the event are neither copied nor changed here.
 */

import { TYPE_BITS } from '../fields/field.ts'
import type { FieldNode } from '../fields/field-tree.ts'

/** A part of the event that is stored differently: the bytes from `from` to `to` become `put`. */
interface Edit {
  from: number
  to: number
  put: Buffer
}

/** A member of the top level: where it begins and ends and what surrounds it. */
interface Member {
  keyFrom: number
  keyTo: number
  from: number
  to: number
  commaBefore: number
  nextFrom: number
}

const NOTHING = Buffer.alloc(0)
const USER_TIME = Buffer.from('"_user_time"')

export class EventShape {
  /** The bytes that the event is in, */
  readonly buf: Buffer
  /** where it begins, */
  readonly from: number
  /** and the first byte behind it. */
  end: number
  /** Why this event cannot be stored; the first reason found. */
  failure: string | undefined = undefined
  hasDuplicates = false
  isObject = false
  edits: Edit[] = []
  /** Members of the top level of an object that have a role. */
  timeMember: Member | undefined = undefined
  wrapTimeMember: Member | undefined = undefined
  namedMember: Member | undefined = undefined
  /** The value of the named field where it is nested. */
  namedValue: { from: number; to: number } | undefined = undefined
  /** Members, and how many of them the contract's wrapper could have. */
  memberCount = 0
  wrapperCount = 0
  /** Where members could be added: the closing brace. */
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

  /** Whether the event's own `_time` is kept under another name, because its time is elsewhere. */
  get hasUserTime(): boolean {
    return this.timeMember !== undefined && (this.namedMember ?? this.namedValue) !== undefined
  }

  /**
   * Finds the value that is the event's time. Its member is cut out, as it becomes `_time`.
   * @returns where the value is, `undefined` where the event has no time of its own
   */
  takeTime(): { from: number; to: number } | undefined {
    const { timeMember, namedMember, wrapTimeMember } = this
    const own = namedMember ?? this.namedValue
    if (own) {
      if (namedMember) this.#cut(namedMember)
      // What the event calls _time is not the time then, but it is not lost either.
      if (timeMember) this.edits.push({ from: timeMember.keyFrom, to: timeMember.keyTo, put: USER_TIME })
      return own
    }
    const member = timeMember ?? (this.hasWrapperTime ? wrapTimeMember : undefined)
    if (member) this.#cut(member)
    return member
  }

  /** The edits in the order of their places. */
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

const byPlace = (a: Edit, b: Edit) => a.from - b.from

/** Beside the type: a string, or one in an array, that has escapes. */
export const ESCAPED = 1 << 21

export class EventValues {
  readonly nodes: FieldNode[] = []
  /** Type bits; of an array also that of its elements. */
  readonly kinds: number[] = []
  readonly from: number[] = []
  readonly to: number[] = []
  length = 0
  /** Whether all values are scalars, or arrays of scalars of one type. */
  areSimple = true

  add(node: FieldNode, kind: number, from: number, to: number): void {
    const at = this.length++
    this.nodes[at] = node
    this.kinds[at] = kind
    this.from[at] = from
    this.to[at] = to
  }

  clear(): void {
    this.length = 0
    this.areSimple = true
  }
}

const SIMPLE_ELEMENTS = new Set<number>([TYPE_BITS.string, TYPE_BITS.integer, TYPE_BITS.float, TYPE_BITS.boolean])

/** @param kinds bits of the elements of an array. @returns whether they are scalars of one type */
export function areSimpleElements(kinds: number): boolean {
  return SIMPLE_ELEMENTS.has(kinds)
}
