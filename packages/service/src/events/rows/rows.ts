/**
 * Rows of events as the engine reads them (JSONCompactEachRow: data, _time, _sysTime, _row), between those who write them
 * and those who store them; and the buffers they are in.
 */
/** Rows waiting to be taken; each buffer holds whole rows. */
export interface Rows {
  buffers: Buffer[]
  bytes: number
  count: number
  /** Where each row ends, in bytes from the start of the first buffer. */
  ends: number[]
  /** Which event of the request each row is. */
  events: number[]
}

export function noRows(): Rows {
  return { buffers: [], bytes: 0, count: 0, ends: [], events: [] }
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
  rows.buffers = []
}
