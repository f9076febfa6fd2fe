/**
 * The result of scanning one event: its extent, the reason if it cannot be stored, and the positions of its time and of its values. The
 * bytes of the event are neither copied nor changed here.
 */

import type { FieldNode } from '../fields/field-tree.ts'

/** The bytes of a value. */
interface Place {
  from: number
  to: number
}

/** A change of a value in the column `rest`: the bytes from `from` to `to` become `put`. */
interface Edit extends Place {
  put: Buffer
}

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
  /** In the order of their positions. */
  readonly edits: Edit[] = []
  /** The values of `_time`, of the contract's wrapper's `time`, and of the field that the request names. */
  time: Place | undefined = undefined
  wrapTime: Place | undefined = undefined
  named: Place | undefined = undefined
  /** The number of members, and of those that the contract's wrapper could have. */
  memberCount = 0
  wrapperCount = 0
  /** Identifies this event's top level in {@link FieldNode.seenIn}. */
  objectId = 0

  constructor(buf: Buffer, from: number) {
    this.buf = buf
    this.from = from
    this.end = from
  }

  /** Whether the event is the contract's wrapper, whose `time` is its time. */
  get hasWrapperTime(): boolean {
    return this.wrapTime !== undefined && !this.time && !this.named && this.wrapperCount === this.memberCount
  }

  /** The value of the event's time; `undefined` if it has no time of its own. */
  get ownTime(): Place | undefined {
    return this.named ?? this.time ?? (this.hasWrapperTime ? this.wrapTime : undefined)
  }

  /** @returns the value as the column `rest` has it, valid as long as the buffer */
  textAt({ from, to }: Place): Buffer {
    const edits = this.edits.filter((edit) => edit.from >= from && edit.to <= to)
    if (edits.length === 0) return this.buf.subarray(from, to)
    const parts: Buffer[] = []
    let copied = from
    for (const edit of edits) {
      parts.push(this.buf.subarray(copied, edit.from), edit.put)
      copied = edit.to
    }
    return Buffer.concat([...parts, this.buf.subarray(copied, to)])
  }
}

/** A bit beside the type: a string, or one in an array, has escapes. */
export const ESCAPED = 1 << 21

/** A bit beside the type: the value is not JSON; see {@link EventValues}. */
export const RAW = 1 << 24
/** A value that is not in the column `data`. */
interface RestValue {
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
  rest: RestValue[] = []

  add(node: FieldNode, kind: number, from: number, to: number): void {
    const at = this.length++
    this.nodes[at] = node
    this.kinds[at] = kind
    this.from[at] = from
    this.to[at] = to
  }

  clear(): void {
    this.length = 0
    if (this.rest.length > 0) this.rest = []
  }

  /** Moves the values of these fields out of the event, to the rest of it. */
  takeOut(nodes: ReadonlySet<FieldNode>, shape: EventShape): void {
    const { length } = this
    this.length = 0
    for (let i = 0; i < length; i++) {
      const [node, kind] = [this.nodes[i] as FieldNode, this.kinds[i] as number]
      const [from, to] = [this.from[i] as number, this.to[i] as number]
      if (nodes.has(node)) this.rest.push({ node, text: shape.textAt({ from, to }) })
      else this.add(node, kind, from, to)
    }
  }
}
