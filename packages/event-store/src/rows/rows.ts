/**
 * Rows of events between those who write them and those who store them, and the buffers they are in: in columns (blocks of the
 * engine's format Native), or as texts that the engine reads (JSONCompactEachRow: data, _time, _sysTime, _row).
 */
import type { ByteWriter } from '../native/byte-writer.ts'

/** Rows waiting to be taken. */
export interface Rows {
  /** All rows, and their bytes. */
  count: number
  bytes: number
  /** Rows in columns. */
  blocks: ByteWriter[]
  /** Whether the texts have only values that could be in columns too, so that the engine cannot but take them. */
  areSimple: boolean
  /** Rows as texts; each buffer holds whole ones. */
  buffers: Buffer[]
  /** Where each of these ends, in bytes from the start of the first buffer. */
  ends: number[]
  /** Which event of the request each of these is. */
  events: number[]
}

export function noRows(): Rows {
  return { count: 0, bytes: 0, blocks: [], areSimple: true, buffers: [], ends: [], events: [] }
}

export const BUFFER_BYTES_MAX = 1_048_576

/**
 * Full-size buffers that are free again: a large body goes through a few of them, instead of leaving hundreds to the
 * collector, which is in no hurry with memory outside of its heap.
 */
const freeBuffers: Buffer[] = []
const FREE_BUFFERS_MAX = 16

/** @returns a buffer of full size; {@link releaseRows} takes it back */
export function acquireBuffer(): Buffer {
  return freeBuffers.pop() ?? Buffer.from(new ArrayBuffer(BUFFER_BYTES_MAX))
}

/** Takes back the buffers of rows that are stored. */
export function releaseRows(rows: Rows): void {
  for (const { buffer } of rows.buffers) {
    if (buffer.byteLength === BUFFER_BYTES_MAX && freeBuffers.length < FREE_BUFFERS_MAX) freeBuffers.push(Buffer.from(buffer))
  }
  for (const block of rows.blocks) block[Symbol.dispose]()
  rows.buffers = []
  rows.blocks = []
}
