/**
 * A block of rows of an event table in the engine's format Native: for each column its name, its type and its values.
 */
import { EVENT_PATHS_MAX } from '../schema/event-table.ts'
import type { ByteWriter } from './byte-writer.ts'
import type { JsonColumn } from './json-column.ts'

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
