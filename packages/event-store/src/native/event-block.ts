/**
 * Writes a block of rows of an event table in the engine's format Native: for each column its name, its type and its values.
 */
import { EVENT_PATHS_MAX, REST, REST_TYPE } from '../schema/event-table.ts'
import { ByteWriter } from './byte-writer.ts'

/** The values of the columns, row by row; times are nanoseconds. */
interface EventBlockColumns {
  data: JsonColumn
  times: ByteWriter
  sysTimes: ByteWriter
  rowIds: ByteWriter
  rest: RestColumn
}

const TIME = "DateTime64(9, 'UTC')"

export function writeEventBlock(
  block: ByteWriter,
  rows: number,
  { data, times, sysTimes, rowIds, rest }: EventBlockColumns,
): void {
  block.varUint(rest.isEmpty ? 4 : 5)
  block.varUint(rows)
  writeHeader(block, 'data', `JSON(max_dynamic_paths = ${EVENT_PATHS_MAX})`)
  data.write(block, rows)
  for (const [name, type, { written }] of [
    ['_time', TIME, times],
    ['_sysTime', TIME, sysTimes],
    ['_row', 'UInt64', rowIds],
  ] as const) {
    writeHeader(block, name, type)
    block.append(written)
  }
  if (rest.isEmpty) return
  writeHeader(block, REST, REST_TYPE)
  rest.write(block)
}

/** The column {@link REST}: for each row paths and their values. A block without it has none. */
export class RestColumn implements Disposable {
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

  write(block: ByteWriter): void {
    for (const { written } of [this.#ends, this.#paths, this.#values]) block.append(written)
  }

  [Symbol.dispose](): void {
    for (const part of [this.#ends, this.#paths, this.#values]) part[Symbol.dispose]()
    this.#count = 0
  }
}

function writeHeader(block: ByteWriter, name: string, type: string): void {
  block.text(name)
  block.text(type)
}

/** The types of values, each of which may also occur in arrays. */
export type ScalarType = 'Int64' | 'UInt64' | 'Float64' | 'String' | 'Bool'

/** The engine's number for this layout. */
const FLATTENED = 3
/** Marks a row without a value here, until the number of types is known. */
const ABSENT = 0xff

/** The values of one type at one path. */
export class TypedValues {
  readonly type: ScalarType
  readonly isArray: boolean
  readonly out = new ByteWriter()
  /** For arrays, the end of each. */
  readonly #ends = new ByteWriter()
  /** The number of elements in all arrays so far. */
  #elements = 0

  constructor(type: ScalarType, isArray: boolean) {
    this.type = type
    this.isArray = isArray
  }

  /** Ends an array, whose elements are the values written since the last one. */
  endArray(elements: number): void {
    this.#elements += elements
    this.#ends.int64(this.#elements)
  }

  writeType(block: ByteWriter): void {
    block.text(this.isArray ? `Array(Nullable(${this.type}))` : this.type)
  }

  writeValues(block: ByteWriter): void {
    if (this.isArray) {
      block.append(this.#ends.written)
      block.fill(0, this.#elements)
    }
    block.append(this.out.written)
  }

  dispose(): void {
    this.out[Symbol.dispose]()
    this.#ends[Symbol.dispose]()
  }
}

class PathColumn {
  readonly path: string
  readonly #indexes = new ByteWriter()
  readonly #types: TypedValues[] = []
  #hasAbsent = false

  constructor(path: string) {
    this.path = path
  }

  /** Returns the values of a type, to add one for this row. Each row has at most one value. */
  at(row: number, type: ScalarType, isArray: boolean): TypedValues {
    this.#skipTo(row)
    const types = this.#types
    let index = 0
    while (index < types.length && (types[index]?.type !== type || types[index]?.isArray !== isArray)) index++
    this.#indexes.byte(index)
    return types[index] ?? this.#add(type, isArray)
  }

  writeTypes(block: ByteWriter): void {
    block.int64(FLATTENED)
    block.varUint(this.#types.length)
    for (const values of this.#types) values.writeType(block)
  }

  writeValues(block: ByteWriter, rows: number): void {
    const indexes = this.#indexes
    this.#skipTo(rows)
    if (this.#hasAbsent) indexes.replace(ABSENT, this.#types.length)
    block.append(indexes.written)
    for (const values of this.#types) values.writeValues(block)
  }

  dispose(): void {
    this.#indexes[Symbol.dispose]()
    for (const values of this.#types) values.dispose()
  }

  #skipTo(row: number): void {
    const missing = row - this.#indexes.length
    if (missing <= 0) return
    this.#indexes.fill(ABSENT, missing)
    this.#hasAbsent = true
  }

  #add(type: ScalarType, isArray: boolean): TypedValues {
    const values = new TypedValues(type, isArray)
    this.#types.push(values)
    return values
  }
}

export class JsonColumn implements Disposable {
  readonly #paths: PathColumn[] = []

  get size(): number {
    return this.#paths.length
  }

  /** @param path a path without a column. @returns its new column */
  add(path: string): PathColumn {
    const column = new PathColumn(path)
    this.#paths.push(column)
    return column
  }

  /** @param rows the number of rows, each of which has a value at some path */
  write(block: ByteWriter, rows: number): void {
    block.int64(FLATTENED)
    block.varUint(this.#paths.length)
    for (const { path } of this.#paths) block.text(path)
    for (const column of this.#paths) column.writeTypes(block)
    for (const column of this.#paths) column.writeValues(block, rows)
  }

  [Symbol.dispose](): void {
    for (const column of this.#paths) column.dispose()
    this.#paths.length = 0
  }
}

export type { PathColumn }
