/**
 * Rows as columns: the engine gives row after row, a table is column after column. Each pass over the rows writes one column as it
 * is read, and beside it holds as many others as there is room for; those that did not fit are for the next pass.
 */
import type { Value } from '@deployment-annotations/contract/query'
import { asPieces, type JsonPieces, type Piece } from './answer-text.ts'
import { createRowReader, type Readable, type Rows } from './rows.ts'

/** Of one answer's columns that wait for their turn. */
const HELD_BYTES_MAX = 12_582_912
/** Of all answers': when many are sent at a time, to readers that are slow, each needs more passes and no more memory. */
const ALL_HELD_BYTES_MAX = 4 * HELD_BYTES_MAX
let allHeldBytes = 0

/** @param order of the rows; by default as they came */
export function columnsOf(rows: Rows, plan: Readable, order?: Uint32Array): JsonPieces<Value[][]> {
  return asPieces(writeColumns(rows, plan, order))
}

async function* writeColumns({ result }: Rows, plan: Readable, order?: Uint32Array): AsyncGenerator<Piece> {
  const { length } = plan.columns
  let separator = '['
  for (let first = 0; first < length; ) {
    using held = new HeldColumns(first + 1, length)
    let read = createRowReader(plan, range(first, held.end))
    yield `${separator}[`
    separator = ''
    for await (const texts of result.batches(order)) {
      const rows = texts.map((text) => read(text).values)
      yield separator + rows.map((row) => row[first]).join(',')
      separator = ','
      if (held.add(rows)) read = createRowReader(plan, range(first, held.end))
    }
    yield ']'
    yield* held.write()
    separator = ','
    first = held.end
  }
  yield length === 0 ? '[]' : ']'
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

interface Column {
  bytes: Buffer
  length: number
}

/** Neighbouring columns as bytes, given up from the last one on when they become too many. */
class HeldColumns implements Disposable {
  readonly #first: number
  readonly #columns: Column[]
  #bytes = 0

  constructor(first: number, end: number) {
    this.#first = first
    this.#columns = range(first, end).map(() => ({ bytes: Buffer.alloc(0), length: 0 }))
  }

  /** The first column that is not held. */
  get end(): number {
    return this.#first + this.#columns.length
  }

  /** @returns whether columns were given up */
  add(rows: readonly string[][]): boolean {
    const { length } = this.#columns
    for (const [at, column] of this.#columns.entries()) {
      this.#count(append(column, rows.map((row) => `,${row[this.#first + at]}`).join('')))
    }
    while (this.#columns.length > 0 && (this.#bytes > HELD_BYTES_MAX || allHeldBytes > ALL_HELD_BYTES_MAX)) {
      this.#count(-(this.#columns.pop()?.bytes.length ?? 0))
    }
    return this.#columns.length < length
  }

  *write(): Generator<Piece> {
    for (const column of this.#columns) {
      yield ',['
      // Without the comma before the first.
      yield column.bytes.subarray(1, column.length)
      yield ']'
    }
  }

  [Symbol.dispose](): void {
    this.#count(-this.#bytes)
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    allHeldBytes += bytes
  }
}

/** @returns by how much the column's bytes have grown */
function append(column: Column, text: string): number {
  const before = column.bytes.length
  const needed = column.length + Buffer.byteLength(text)
  if (needed > before) {
    // By half as much again: twice would leave a third of the room unused.
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.ceil(before * 1.5)))
    column.bytes.copy(larger, 0, 0, column.length)
    column.bytes = larger
  }
  column.length += column.bytes.write(text, column.length)
  return column.bytes.length - before
}
