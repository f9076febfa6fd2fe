/**
 * Row ids: 42 bits of milliseconds, 10 bits of service node, 12 bits of sequence. Unique over nodes, growing strictly on
 * each, also when the clock is set back or the process is killed: no id is given out above a mark that is on disk already.
 * An id is not a time; after a restart ids run ahead of the clock by up to the reserve.
 */
import { readFileSync } from 'node:fs'
import { writeOwnerFile } from '../../files/owner-file.ts'

const MS_SHIFT = 22n
const NODE_SHIFT = 12n
const SEQUENCE_MAX = 4_095
export const NODE_MAX = 1_023
/** The mark is moved this far ahead, so that it is written every few seconds at most. */
const RESERVE_MS = 30_000

export interface RowIds {
  next(): bigint
}

/**
 * @param file where the mark is kept
 * @param node this service node, 0 to {@link NODE_MAX}, unlike all others that write to the same tables
 * @throws Error when the file is there and cannot be understood
 */
export function createRowIds(file: string, node: number, clock: () => number = Date.now): RowIds {
  let reserved = readMark(file)
  let ms = reserved
  let sequence = -1
  let base = 0n
  return {
    next() {
      if (sequence === SEQUENCE_MAX || sequence === -1 || (sequence & 63) === 0) {
        const now = clock()
        if (now > ms || sequence === SEQUENCE_MAX || sequence === -1) {
          ms = Math.max(now, ms + 1)
          if (ms >= reserved) {
            reserved = ms + RESERVE_MS
            writeOwnerFile(file, `${reserved}\n`)
          }
          base = (BigInt(ms) << MS_SHIFT) | (BigInt(node) << NODE_SHIFT)
          sequence = -1
        }
      }
      return base | BigInt(++sequence)
    },
  }
}

function readMark(file: string): number {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
  if (!/^\d{1,15}\n$/.test(text))
    throw new Error(`${file} should hold the highest row id time in ms, found ${JSON.stringify(text.slice(0, 40))}`)
  return Number(text)
}
