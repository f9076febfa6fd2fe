/**
 * The rows of a request in columns, as the engine stores them, so that the engine need not parse the scanned JSON again. A row that
 * cannot be written so, for example because of an array of several types, is written as text instead.
 */
import { TYPE_BITS, UNSIGNED } from '../fields/field.ts'
import type { FieldNode } from '../fields/field-tree.ts'
import { ByteWriter } from '../native/byte-writer.ts'
import {
  JsonColumn,
  type PathColumn,
  RestColumn,
  type ScalarType,
  type TypedValues,
  writeEventBlock,
} from '../native/event-block.ts'
import { ESCAPED, type EventValues, RAW } from '../scan/event-shape.ts'
import { skipWhitespace } from '../scan/json-reader.ts'
import { readFloat, readShortInteger } from '../scan/numbers.ts'
import { EVENT_PATHS_MAX } from '../schema/event-table.ts'

const { integer: INTEGER, float: FLOAT, string: STRING, boolean: BOOLEAN, array: ARRAY } = TYPE_BITS
const [QUOTE, BACKSLASH, COMMA, RBRACKET, SPACE, LOWER_T] = [0x22, 0x5c, 0x2c, 0x5d, 0x20, 0x74]

/** The columns of a row beside its data. Times are nanoseconds. */
interface BlockEnvelope {
  time: bigint
  sysTime: bigint
  row: bigint
}

/** Two times and an id. */
const ENVELOPE_BYTES = 24

const BYTES_OF_NUMBER = 8

/** A block with this many bytes of values fits a buffer of one mebibyte. */
const BLOCK_BYTES_MAX = 786_432

interface FieldColumn {
  node: FieldNode
  column: PathColumn
}

export class RowBlock implements Disposable {
  readonly #data = new JsonColumn()
  readonly #times = new ByteWriter()
  readonly #sysTimes = new ByteWriter()
  readonly #rowIds = new ByteWriter()
  readonly #rest = new RestColumn()
  readonly #columns = new Map<FieldNode, FieldColumn>()
  /** The columns of the values of one event, in their order; those of the previous event are tried first. */
  readonly #order: FieldColumn[] = []
  /** The number of rows in the unfinished block. */
  #rows = 0
  #bytes = 0
  /** The finished blocks, and their sizes. */
  #full: ByteWriter[] = []
  #fullRows = 0
  #fullBytes = 0

  get rows(): number {
    return this.#fullRows + this.#rows
  }

  /** The approximate number of bytes that {@link drain} returns. */
  get bytes(): number {
    return this.#fullBytes + this.#bytes
  }

  /**
   * Adds a row.
   * @param buf has the values
   * @returns whether it was added; if not, write it as text
   */
  append(buf: Buffer, values: EventValues, { time, sysTime, row }: BlockEnvelope): boolean {
    if (!values.areSimple || values.length + values.rest.length === 0 || !this.#findColumns(values)) return false
    for (let i = 0; i < values.length; i++) {
      const { column } = this.#order[i] as FieldColumn
      this.#write(column, buf, values.kinds[i] as number, values.from[i] as number, values.to[i] as number)
    }
    this.#times.bigInt64(time)
    this.#sysTimes.bigInt64(sysTime)
    this.#rowIds.bigInt64(row)
    for (const { node, text } of values.rest) this.#bytes += this.#rest.add(node.path, text)
    this.#rest.endRow()
    this.#rows++
    this.#bytes += ENVELOPE_BYTES + this.#data.size
    if (this.#bytes >= BLOCK_BYTES_MAX) this.#close()
    return true
  }

  /** Returns the rows so far as blocks, which the caller disposes of. */
  drain(): ByteWriter[] {
    if (this.#rows > 0) this.#close()
    const blocks = this.#full
    this.#full = []
    this.#fullRows = this.#fullBytes = 0
    return blocks
  }

  [Symbol.dispose](): void {
    this.#clear()
    for (const block of this.drain()) block[Symbol.dispose]()
  }

  #close(): void {
    const block = new ByteWriter()
    // The buffer starts at the approximate size, so that it need not grow repeatedly.
    block.reserve(this.#bytes)
    const columns = { data: this.#data, times: this.#times, sysTimes: this.#sysTimes, rowIds: this.#rowIds, rest: this.#rest }
    writeEventBlock(block, this.#rows, columns)
    this.#full.push(block)
    this.#fullRows += this.#rows
    this.#fullBytes += block.length
    this.#clear()
  }

  #clear(): void {
    for (const part of [this.#data, this.#times, this.#sysTimes, this.#rowIds, this.#rest]) part[Symbol.dispose]()
    this.#columns.clear()
    this.#order.length = 0
    this.#rows = 0
    this.#bytes = 0
  }

  /** @returns whether there is a column for each value */
  #findColumns({ nodes, length }: EventValues): boolean {
    for (let i = 0; i < length; i++) {
      const node = nodes[i] as FieldNode
      if (this.#order[i]?.node === node) continue
      const found = this.#columns.get(node) ?? this.#addColumn(node)
      if (!found) return false
      this.#order[i] = found
    }
    return true
  }

  #addColumn(node: FieldNode): FieldColumn | undefined {
    if (this.#data.size >= EVENT_PATHS_MAX) return undefined
    const added = { node, column: this.#data.add(node.path.toString()) }
    this.#columns.set(node, added)
    return added
  }

  #write(column: PathColumn, buf: Buffer, kind: number, from: number, to: number): void {
    const type = TYPES[kind & TYPE_MASK] as ScalarType
    const isArray = (kind & ARRAY) !== 0
    const values = column.at(this.#rows, (kind & UNSIGNED) !== 0 ? 'UInt64' : type, isArray)
    if ((kind & RAW) !== 0) this.#bytes += writeRaw(values.out, buf, kind, from, to)
    else this.#writeJson(values, buf, kind, from, to)
  }

  #writeJson(values: TypedValues, buf: Buffer, kind: number, from: number, to: number): void {
    this.#bytes += to - from
    if ((kind & ARRAY) !== 0) writeArray(values, buf, kind, from, to)
    else writeScalar(values.out, buf, kind, from, to)
  }
}

const TYPE_MASK = INTEGER | FLOAT | STRING | BOOLEAN
const TYPES: Readonly<Record<number, ScalarType>> = {
  [INTEGER]: 'Int64',
  [FLOAT]: 'Float64',
  [STRING]: 'String',
  [BOOLEAN]: 'Bool',
}

/** @returns how many bytes were written */
function writeRaw(out: ByteWriter, buf: Buffer, kind: number, from: number, to: number): number {
  if ((kind & STRING) !== 0) {
    out.string(buf, from, to)
    return to - from
  }
  if ((kind & BOOLEAN) !== 0) out.byte(from)
  else out.bits64(from, to)
  return BYTES_OF_NUMBER
}

function writeScalar(out: ByteWriter, buf: Buffer, kind: number, from: number, to: number): void {
  if ((kind & STRING) !== 0) {
    if ((kind & ESCAPED) === 0) out.string(buf, from + 1, to - 1)
    else out.text(JSON.parse(buf.toString('utf8', from, to)) as string)
  } else if ((kind & INTEGER) !== 0) {
    const value = readShortInteger(buf, from, to)
    if (value === undefined) out.bigInt64(BigInt(buf.toString('latin1', from, to)))
    else out.int64(value)
  } else if ((kind & FLOAT) !== 0) out.float64(readFloat(buf, from, to))
  else out.byte(buf[from] === LOWER_T ? 1 : 0)
}

/** Writes an array of valid JSON whose elements are scalars of one type and never null. */
function writeArray(values: TypedValues, buf: Buffer, kind: number, from: number, to: number): void {
  const last = to - 1
  let elements = 0
  let at = from
  while (at < last) {
    const start = skipWhitespace(buf, at + 1)
    const end = (kind & STRING) !== 0 ? endOfString(buf, start) : endOfWord(buf, start)
    writeScalar(values.out, buf, kind, start, end)
    elements++
    // The position is at the next comma, or at the bracket.
    at = skipWhitespace(buf, end)
  }
  values.endArray(elements)
}

function endOfString(buf: Buffer, from: number): number {
  let at = from + 1
  while (buf[at] !== QUOTE) at += buf[at] === BACKSLASH ? 2 : 1
  return at + 1
}

function endOfWord(buf: Buffer, from: number): number {
  let at = from
  while (buf[at] !== COMMA && buf[at] !== RBRACKET && (buf[at] as number) > SPACE) at++
  return at
}
