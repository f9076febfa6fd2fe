/**
 * A block of rows of an event table in the engine's format Native: for each column its name, its type and its values. Blocks of a few
 * rows are joined before an insert, because each costs the engine as much as two hundred rows in a larger one.
 */
import assert from 'node:assert'
import { EVENT_PATHS_MAX, REST, REST_TYPE } from '../schema/event-table.ts'
import { BlockReader } from './block-reader.ts'
import { ByteWriter } from './byte-writer.ts'

/** The columns of a row beside its data. Times are nanoseconds. */
export interface RowEnvelope {
  time: bigint
  sysTime: bigint
  row: bigint
}

/** Two times and an id. */
const ENVELOPE_BYTES = 24
const BYTES_OF_NUMBER = 8

/** A block with this many bytes of values fits a buffer of one mebibyte. */
const BLOCK_BYTES_MAX = 786_432
/** A block from this size on stays as it is. */
const JOINED_BYTES_MAX = 65_536

/** The engine's number for the layout of data. */
const FLATTENED = 3
/** Marks a row without a value here, until the number of types is known. */
const ABSENT = 0xff

const SCALAR_TYPES = ['Int64', 'UInt64', 'Float64', 'String', 'Bool'] as const
/** The types of values, each of which may also occur in arrays. */
export type ScalarType = (typeof SCALAR_TYPES)[number]
type ArrayType = `Array(Nullable(${ScalarType}))`
type ValueType = ScalarType | ArrayType

/** The types of arrays by those of their elements. */
export const ARRAYS_OF = Object.fromEntries(SCALAR_TYPES.map((type) => [type, `Array(Nullable(${type}))`])) as Record<
  ScalarType,
  ArrayType
>

/** @returns texts that are in every block, such as the name and the type before the values of a column */
function textsOf(...texts: string[]): ByteWriter {
  const written = new ByteWriter()
  for (const text of texts) written.text(text)
  return written
}

const TYPES = Object.fromEntries([...SCALAR_TYPES, ...Object.values(ARRAYS_OF)].map((type) => [type, textsOf(type)])) as Record<
  ValueType,
  ByteWriter
>

const TIME = "DateTime64(9, 'UTC')"
const DATA_HEADER = textsOf('data', `JSON(max_dynamic_paths = ${EVENT_PATHS_MAX})`)
const ENVELOPE_HEADERS = [textsOf('_time', TIME), textsOf('_sysTime', TIME), textsOf('_row', 'UInt64')] as const
const REST_HEADER = textsOf(REST, REST_TYPE)

/** The columns of `data` in a block that was appended, and the types of each. */
interface Heads {
  /** How they are written. */
  bytes: Buffer
  columns: readonly { column: PathColumn; types: readonly TypedValues[] }[]
}

/** Rows of events on their way to the store, in blocks of the engine's format Native. */
export interface Rows {
  /** The number of rows, and their bytes. */
  count: number
  bytes: number
  blocks: ByteWriter[]
}

export const noRows = (): Rows => ({ count: 0, bytes: 0, blocks: [] })

/** Takes back the memory of stored rows. */
export function releaseRows({ blocks }: Rows): void {
  for (const block of blocks) block[Symbol.dispose]()
}

/** Blocks that are filled with values, row by row, or with the rows of other blocks. */
export class EventBlocks implements Disposable {
  /** The rows of full blocks. */
  #full = noRows()
  /** The rows of the block that is being filled, and about how many bytes they take. */
  #rows = 0
  #bytes = 0
  /** The columns of `data` by their paths: for values the buffer itself, for other blocks its bytes in Latin-1. */
  readonly #paths = new Map<Buffer | string, PathColumn>()
  /** The columns of the values of the row before, in their order, which most rows have. */
  #order: PathColumn[] = []
  /** Those of the block that was appended last, which most have. */
  #heads: Heads | undefined
  readonly #times = new ByteWriter()
  readonly #sysTimes = new ByteWriter()
  readonly #rowIds = new ByteWriter()
  readonly #rest = new RestColumn()

  /** The approximate number of bytes of all rows. */
  get bytes(): number {
    return this.#full.bytes + this.#bytes
  }

  /**
   * @param at how many values the row has before
   * @param path of `data`, at which a row has at most one value; always the same buffer for the same path
   * @param bytes about how many the value takes
   * @returns the values of the type, to add one for this row
   */
  valuesAt(at: number, path: Buffer, type: ValueType, bytes: number): TypedValues {
    let column = this.#order[at]
    if (column?.path !== path) {
      column = this.#column(path, path)
      this.#order[at] = column
    }
    this.#bytes += bytes
    return column.at(this.#rows, type)
  }

  #column(key: Buffer | string, path: Buffer): PathColumn {
    const found = this.#paths.get(key)
    if (found) return found
    const column = new PathColumn(path)
    this.#paths.set(key, column)
    return column
  }

  /** Adds a value to the column {@link REST} of the row. */
  addRest(path: Buffer, text: Buffer): void {
    this.#bytes += this.#rest.add(path, text)
  }

  /** Ends the row, whose values are in the columns. */
  endRow({ time, sysTime, row }: RowEnvelope): void {
    this.#times.bigInt64(time)
    this.#sysTimes.bigInt64(sysTime)
    this.#rowIds.bigInt64(row)
    this.#rest.endRow()
    this.#rows++
    this.#bytes += ENVELOPE_BYTES + this.#paths.size
    if (this.#bytes >= BLOCK_BYTES_MAX) this.#finish()
  }

  /** Adds the rows of finished blocks, one after the other in these bytes. */
  append(blocks: Uint8Array): void {
    for (const reader = new BlockReader(blocks); !reader.isAtEnd; ) this.#append(reader)
    this.#bytes += blocks.length
    if (this.#bytes >= BLOCK_BYTES_MAX) this.#finish()
  }

  /** Returns the rows so far, which the caller releases, and forgets them. */
  drain(): Rows {
    if (this.#rows > 0) this.#finish()
    const rows = this.#full
    this.#full = noRows()
    return rows
  }

  #append(reader: BlockReader): void {
    const hasRest = reader.varUint() > 4
    const rows = reader.varUint()
    for (const { column, types } of this.#readHeads(reader)) column.append(reader, types, { from: this.#rows, rows })
    for (const out of [this.#times, this.#sysTimes, this.#rowIds]) {
      reader.skipStrings(2)
      reader.copy(out, rows * BYTES_OF_NUMBER)
    }
    if (hasRest) reader.skipStrings(2)
    this.#rest.append(reader, rows, hasRest)
    this.#rows += rows
  }

  #readHeads(reader: BlockReader): Heads['columns'] {
    if (this.#heads && reader.isNext(this.#heads.bytes)) {
      reader.at += this.#heads.bytes.length
      return this.#heads.columns
    }
    const from = reader.at
    reader.skipStrings(2)
    reader.int64()
    const paths: PathColumn[] = []
    for (let left = reader.varUint(); left > 0; left--) {
      const path = reader.string()
      paths.push(this.#column(path.toString('latin1'), Buffer.from(path)))
    }
    const columns = paths.map((column) => {
      reader.int64()
      const types: TypedValues[] = []
      for (let left = reader.varUint(); left > 0; left--) types.push(column.valuesOf(reader.string().toString() as ValueType))
      return { column, types }
    })
    this.#heads = { bytes: Buffer.from(reader.slice(from)), columns }
    return columns
  }

  #finish(): void {
    const block = new ByteWriter()
    // The buffer starts at the approximate size, so that it need not grow repeatedly.
    block.reserve(this.#bytes)
    block.varUint(this.#rest.isEmpty ? 4 : 5)
    block.varUint(this.#rows)
    block.append(DATA_HEADER)
    block.int64(FLATTENED)
    block.varUint(this.#paths.size)
    for (const { path } of this.#paths.values()) block.string(path, 0, path.length)
    for (const column of this.#paths.values()) column.writeTypes(block)
    for (const column of this.#paths.values()) column.writeValues(block, this.#rows)
    for (const [index, values] of [this.#times, this.#sysTimes, this.#rowIds].entries()) {
      block.append(ENVELOPE_HEADERS[index] as ByteWriter)
      block.append(values)
    }
    if (!this.#rest.isEmpty) {
      block.append(REST_HEADER)
      this.#rest.write(block)
    }
    this.#full.count += this.#rows
    this.#full.bytes += block.length
    this.#full.blocks.push(block)
    this.#clear()
  }

  [Symbol.dispose](): void {
    this.#clear()
    releaseRows(this.#full)
  }

  #clear(): void {
    for (const column of this.#paths.values()) column.dispose()
    for (const part of [this.#times, this.#sysTimes, this.#rowIds, this.#rest]) part[Symbol.dispose]()
    this.#paths.clear()
    this.#heads = undefined
    this.#order = []
    this.#rows = 0
    this.#bytes = 0
  }
}

/** The rows of finished blocks in fewer blocks. */
export class JoinedBlocks implements Disposable {
  readonly blocks: readonly Uint8Array[]
  readonly #joined: Rows

  /** @param blocks each alone or several one after the other */
  constructor(blocks: readonly Uint8Array[]) {
    using joined = new EventBlocks()
    for (const block of blocks) if (block.length < JOINED_BYTES_MAX) joined.append(block)
    this.#joined = joined.drain()
    const large = blocks.filter(({ length }) => length >= JOINED_BYTES_MAX)
    this.blocks = [...large, ...this.#joined.blocks.map(({ written }) => written)]
  }

  [Symbol.dispose](): void {
    releaseRows(this.#joined)
  }
}

/** The column {@link REST}: for each row paths and their values. A block without it has none. */
class RestColumn implements Disposable {
  /** For each row, how many values there are up to it. */
  readonly #ends = new ByteWriter()
  readonly #paths = new ByteWriter()
  readonly #values = new ByteWriter()
  #count = 0

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** Adds a value to the row. @returns how many bytes it takes */
  add(path: Buffer, text: Buffer): number {
    this.#paths.string(path, 0, path.length)
    this.#values.string(text, 0, text.length)
    this.#count++
    return path.length + text.length
  }

  endRow(): void {
    this.#ends.int64(this.#count)
  }

  append(reader: BlockReader, rows: number, hasRest: boolean): void {
    const before = this.#count
    for (let i = 0; i < rows; i++) {
      if (hasRest) this.#count = before + reader.int64()
      this.endRow()
    }
    reader.copyStrings(this.#paths, this.#count - before)
    reader.copyStrings(this.#values, this.#count - before)
  }

  write(block: ByteWriter): void {
    for (const part of [this.#ends, this.#paths, this.#values]) block.append(part)
  }

  [Symbol.dispose](): void {
    for (const part of [this.#ends, this.#paths, this.#values]) part[Symbol.dispose]()
    this.#count = 0
  }
}

/** The values of one type at one path. */
export class TypedValues {
  readonly type: ValueType
  /** By which the rows of its column name it. */
  readonly index: number
  readonly out = new ByteWriter()
  /** The bytes of a value; 0 if it is a text. */
  readonly #width: number
  /** The end of each array, and of each of their elements whether it is null. */
  readonly #arrays: { ends: ByteWriter; nulls: ByteWriter } | undefined

  constructor(type: ValueType, index: number) {
    this.type = type
    this.index = index
    this.#width = type.includes('String') ? 0 : type.includes('Bool') ? 1 : BYTES_OF_NUMBER
    this.#arrays = type.startsWith('Array') ? { ends: new ByteWriter(), nulls: new ByteWriter() } : undefined
  }

  /** Notes an element of the array that is being written. A null is a value of zeros. */
  element(isNull: boolean): void {
    this.#arrays?.nulls.byte(isNull ? 1 : 0)
    if (isNull) this.out.fill(0, this.#width || 1)
  }

  endArray(): void {
    this.#arrays?.ends.int64(this.#arrays.nulls.length)
  }

  /** Adds so many values of another block. */
  append(reader: BlockReader, count: number): void {
    const elements = this.#arrays ? appendArrays(this.#arrays, reader, count) : count
    if (this.#width === 0) reader.copyStrings(this.out, elements)
    else reader.copy(this.out, elements * this.#width)
  }

  write(block: ByteWriter): void {
    if (this.#arrays) for (const part of [this.#arrays.ends, this.#arrays.nulls]) block.append(part)
    block.append(this.out)
  }

  dispose(): void {
    this.out[Symbol.dispose]()
    this.#arrays?.ends[Symbol.dispose]()
    this.#arrays?.nulls[Symbol.dispose]()
  }
}

/** @returns the number of their elements */
function appendArrays({ ends, nulls }: { ends: ByteWriter; nulls: ByteWriter }, reader: BlockReader, count: number): number {
  const before = nulls.length
  let elements = 0
  for (let i = 0; i < count; i++) {
    elements = reader.int64()
    ends.int64(before + elements)
  }
  reader.copy(nulls, elements)
  return elements
}

class PathColumn {
  readonly path: Buffer
  readonly #indexes = new ByteWriter()
  readonly #types: TypedValues[] = []
  #hasAbsent = false

  constructor(path: Buffer) {
    this.path = path
  }

  /** Returns the values of a type, to add one for this row. */
  at(row: number, type: ValueType): TypedValues {
    this.#skipTo(row)
    const values = this.valuesOf(type)
    this.#indexes.byte(values.index)
    return values
  }

  valuesOf(type: ValueType): TypedValues {
    for (const values of this.#types) if (values.type === type) return values
    const values = new TypedValues(type, this.#types.length)
    this.#types.push(values)
    return values
  }

  /** Adds the values of the rows of another block, in which they have these types. */
  append(reader: BlockReader, types: readonly TypedValues[], { from, rows }: { from: number; rows: number }): void {
    this.#skipTo(from)
    const counts = types.map(() => 0)
    for (let i = 0; i < rows; i++) {
      const index = reader.byte()
      const values = types[index]
      if (values) {
        this.#indexes.byte(values.index)
        counts[index] = (counts[index] as number) + 1
      } else this.#skipTo(from + i + 1)
    }
    for (const [index, values] of types.entries()) values.append(reader, counts[index] as number)
  }

  writeTypes(block: ByteWriter): void {
    block.int64(FLATTENED)
    block.varUint(this.#types.length)
    for (const { type } of this.#types) block.append(TYPES[type])
  }

  writeValues(block: ByteWriter, rows: number): void {
    const indexes = this.#indexes
    this.#skipTo(rows)
    if (this.#hasAbsent) indexes.replace(ABSENT, this.#types.length)
    block.append(indexes)
    for (const values of this.#types) values.write(block)
  }

  dispose(): void {
    this.#indexes[Symbol.dispose]()
    for (const values of this.#types) values.dispose()
  }

  #skipTo(row: number): void {
    const missing = row - this.#indexes.length
    assert(missing >= 0, 'a row has one value at most at a path')
    if (missing === 0) return
    this.#indexes.fill(ABSENT, missing)
    this.#hasAbsent = true
  }
}
