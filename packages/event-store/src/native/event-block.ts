/**
 * A block of rows of an event table in the engine's format Native: for each column its name, its type and its values.
 */
import { EVENT_PATHS_MAX } from '../schema/event-table.ts'
import { ByteWriter } from './byte-writer.ts'

/** The values of the columns, row by row; times are nanoseconds. */
interface EventBlockColumns {
  data: JsonColumn
  times: ByteWriter
  sysTimes: ByteWriter
  rowIds: ByteWriter
}

const TIME = "DateTime64(9, 'UTC')"

export function writeEventBlock(block: ByteWriter, rows: number, { data, times, sysTimes, rowIds }: EventBlockColumns): void {
  block.varUint(4)
  block.varUint(rows)
  writeHeader(block, 'data', `JSON(max_dynamic_paths = ${EVENT_PATHS_MAX})`)
  data.write(block, rows)
  for (const [name, type, { written }] of [
    ['_time', TIME, times],
    ['_sysTime', TIME, sysTimes],
    ['_row', 'UInt64', rowIds],
  ] as const) {
    writeHeader(block, name, type)
    block.copy(written, 0, written.length)
  }
}

function writeHeader(block: ByteWriter, name: string, type: string): void {
  block.text(name)
  block.text(type)
}

/** The types of values that are written here; of each there can be arrays too. */
export type ScalarType = 'Int64' | 'UInt64' | 'Float64' | 'String' | 'Bool'

/** Of the layout, as the engine numbers them. */
const FLATTENED = 3
/** A row that has no value here, until the number of types is known. */
const ABSENT = 0xff

/** The values of one type in one path. */
export class Values {
  readonly type: ScalarType
  readonly isArray: boolean
  readonly out = new ByteWriter()
  /** Of arrays: where each one ends. */
  readonly #ends = new ByteWriter()
  /** Of all arrays so far. */
  #elements = 0

  constructor(type: ScalarType, isArray: boolean) {
    this.type = type
    this.isArray = isArray
  }

  /** What was written since the last one is an array of so many elements. */
  endArray(elements: number): void {
    this.#elements += elements
    this.#ends.int64(this.#elements)
  }

  writeType(block: ByteWriter): void {
    block.text(this.isArray ? `Array(Nullable(${this.type}))` : this.type)
  }

  writeValues(block: ByteWriter): void {
    if (this.isArray) {
      append(block, this.#ends)
      block.fill(0, this.#elements)
    }
    append(block, this.out)
  }

  dispose(): void {
    this.out[Symbol.dispose]()
    this.#ends[Symbol.dispose]()
  }
}

/** One path. */
class PathColumn {
  readonly path: string
  readonly #indexes = new ByteWriter()
  readonly #types: Values[] = []
  #hasAbsent = false

  constructor(path: string) {
    this.path = path
  }

  /** The values of a type, for one of the row to be added. Each row has one value at most. */
  at(row: number, type: ScalarType, isArray: boolean): Values {
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
    append(block, indexes)
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

  #add(type: ScalarType, isArray: boolean): Values {
    const values = new Values(type, isArray)
    this.#types.push(values)
    return values
  }
}

export class JsonColumn implements Disposable {
  readonly #paths: PathColumn[] = []

  /** How many paths there are. */
  get size(): number {
    return this.#paths.length
  }

  /** @param path that has no column yet. @returns the column */
  add(path: string): PathColumn {
    const column = new PathColumn(path)
    this.#paths.push(column)
    return column
  }

  /** @param rows how many there are; each has a value in some path */
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

function append(block: ByteWriter, { written }: ByteWriter): void {
  block.copy(written, 0, written.length)
}
