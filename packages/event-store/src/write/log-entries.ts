/**
 * Encodes and decodes the entries of the write-ahead log. An entry is a length, a checksum, a line of JSON, and the rows, so that an
 * entry which a crash or a full disk cut off is recognized. Deliberately not here: files.
 */
import { crc32 } from 'node:zlib'

/** The rows of one request. Times are nanoseconds since the epoch, decimal. */
export interface WaitingRows {
  /** The table of the dataset. */
  table: string
  /** All rows of the request have this `_sysTime`, and no others. */
  sysTimeNs: string
  firstTimeNs: string
  lastTimeNs: string
  rows: number
  /** The rows that are texts, as the engine parses them. */
  body: Uint8Array
  /** The rows in columns, as blocks of the engine's own format. */
  blocks: readonly Uint8Array[]
}

/** The rows of these requests are in their table, or are not needed because their dataset is gone. */
interface SettledRows {
  table: string
  /** The `_sysTime` of each request. */
  settled: readonly string[]
}

export type LogEntry = WaitingRows | SettledRows

/** The size of the length and the checksum. */
const FRAME_BYTES = 8
const NEWLINE = 0x0a

/** @returns the bytes of an entry, in pieces */
export function encodeEntry(entry: LogEntry): Uint8Array[] {
  const pieces = 'body' in entry ? encodeRows(entry) : [Buffer.from(`${JSON.stringify(entry)}\n`)]
  const frame = Buffer.allocUnsafe(FRAME_BYTES)
  frame.writeUInt32LE(bytesOf(pieces), 0)
  frame.writeUInt32LE(
    pieces.reduce((sum, piece) => crc32(piece, sum), 0),
    4,
  )
  return [frame, ...pieces]
}

function encodeRows({ body, blocks, ...header }: WaitingRows): Uint8Array[] {
  return [Buffer.from(`${JSON.stringify({ ...header, textBytes: body.length })}\n`), body, ...blocks]
}

export function bytesOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}

/** @returns the entries of a file up to the first incomplete one, after which nothing was acknowledged */
export function* decodeEntries(bytes: Buffer): Generator<LogEntry> {
  for (let at = 0; at + FRAME_BYTES < bytes.length; ) {
    const from = at + FRAME_BYTES
    const to = from + bytes.readUInt32LE(at)
    const payload = bytes.subarray(from, to)
    if (to > bytes.length || crc32(payload) !== bytes.readUInt32LE(at + 4)) return
    const lineEnd = payload.indexOf(NEWLINE)
    const header = JSON.parse(payload.toString('utf8', 0, lineEnd)) as RowsHeader | SettledRows
    yield 'settled' in header ? header : decodeRows(header, payload.subarray(lineEnd + 1))
    at = to
  }
}

type RowsHeader = Omit<WaitingRows, 'body' | 'blocks'> & { textBytes: number }

function decodeRows({ textBytes, ...header }: RowsHeader, rows: Buffer): WaitingRows {
  const blocks = rows.subarray(textBytes)
  return { ...header, body: rows.subarray(0, textBytes), blocks: blocks.length > 0 ? [blocks] : [] }
}
