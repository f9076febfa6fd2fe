/**
 * Encodes and decodes the files of the write-ahead log. A file is a row of entries: a length, a checksum, a line of JSON, and the rows.
 * Entries that are written and synced together begin with one that says where they begin and how many requests the log needs at that
 * moment. It shows that everything before it was on the disk, and how much of that is gone now. The file `state` says the same of the
 * newest file, and whether there must be one.
 * Deliberately not here: files, and the conclusions from what cannot be read (log-reading.ts).
 */
import { crc32 } from 'node:zlib'
import type { RequestSpan } from '../tables/stored-requests.ts'

/** The rows of one request. */
export interface WaitingRows extends RequestSpan {
  /** The table of the dataset. */
  table: string
  rows: number
  /** The rows that are texts, as the engine parses them. */
  body: Uint8Array
  /** The rows in columns, as blocks of the engine's own format. */
  blocks: readonly Uint8Array[]
  /** Call this once when they are in their table. It is no part of the entry. */
  release?: () => void
}

/** The rows of these requests are in their table, or are not needed because their dataset is gone. */
interface SettledRows {
  table: string
  /** The `_sysTime` of each request. */
  settled: readonly string[]
}

export type LogEntry = WaitingRows | SettledRows

/** The first of the entries that were synced together. */
export interface BatchStart {
  /** Its place in the file; everything before it was on the disk. */
  batch: number
  /** How many requests in all files of the log were not settled. */
  needed: number
  /** The name of the file before, and how much of it was on the disk; only the first batch of a file has it. */
  previous?: readonly [name: string, bytes: number]
}

/** Bytes of a file. */
export interface LogPiece {
  at: number
  to: number
  /** Absent if it is not as it was written. */
  entry?: LogEntry | BatchStart
  /** Whether no length says where the next entry begins, so that everything from here on is not read. */
  isRest: boolean
}

/** The size of the length and the checksum. */
const FRAME_BYTES = 8

/** A file has this size from its beginning, so that a sync need not write it. What is not written yet takes no room. */
export const SIZE_BYTES = 12_582_912

/** @returns the bytes of an entry, in pieces */
export function encodeEntry(entry: LogEntry | BatchStart): Uint8Array[] {
  const pieces = 'body' in entry ? encodeRows(entry) : [Buffer.from(`${JSON.stringify(entry)}\n`)]
  const frame = Buffer.allocUnsafe(FRAME_BYTES)
  const checksum = pieces.reduce((sum, piece) => crc32(piece, sum), 0)
  frame.writeUInt32LE(bytesOf(pieces), 0)
  frame.writeUInt32LE(checksum, 4)
  return [frame, ...pieces]
}

function encodeRows({ table, body, blocks, release: _, ...header }: WaitingRows): Uint8Array[] {
  return [Buffer.from(`${JSON.stringify({ table, ...header, textBytes: body.length })}\n`), body, ...blocks]
}

export const bytesOf = (pieces: readonly Uint8Array[]) => pieces.reduce((sum, { length }) => sum + length, 0)

/** @returns everything in a file, in order; zeros at its end are not a part of it */
export function* decodePieces(bytes: Buffer): Generator<LogPiece> {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  for (let at = 0; at < end; ) {
    const from = at + FRAME_BYTES
    const length = from < bytes.length ? bytes.readUInt32LE(at) : 0
    // No entry is empty. The checksum of nothing is 0, so zeros would be one.
    const isRest = length === 0 || from + length > bytes.length
    const to = isRest ? end : from + length
    const payload = bytes.subarray(from, to)
    const isWhole = !isRest && crc32(payload) === bytes.readUInt32LE(at + 4)
    yield { at, to, isRest, ...(isWhole && { entry: decodeEntry(payload) }) }
    at = to
  }
}

function decodeEntry(payload: Buffer): LogEntry | BatchStart {
  const lineEnd = payload.indexOf('\n')
  const header = JSON.parse(payload.toString('utf8', 0, lineEnd)) as EntryHeader
  if (!('textBytes' in header)) return header
  const { textBytes, ...request } = header
  // The rows are copied, because the file is much larger than what waits in it.
  const rows = Buffer.from(payload.subarray(lineEnd + 1))
  const blocks = rows.subarray(textBytes)
  return { ...request, body: rows.subarray(0, textBytes), blocks: blocks.length > 0 ? [blocks] : [] }
}

type EntryHeader = (Omit<WaitingRows, 'body' | 'blocks'> & { textBytes: number }) | SettledRows | BatchStart

export const fileName = (number: number) => `${digits(number, 12)}.log`

const digits = (number: number, length: number) => String(number).padStart(length, '0')

/** The newest file of the log, and how much of it was on the disk before the last answer that is known. It is there unless that is 0. */
export interface LogState extends Pick<BatchStart, 'needed'> {
  number: number
  bytes: number
  /** How many requests the entries of the file settle; not a number in the state of an earlier version. */
  settled: number
}

/** An earlier version said in a line before it whether a file must exist, and which one. */
const STATE = /^(?:(open|closed) (\d{12}) [0-9a-f]{8}\n+)?(mark (\d{12}) (\d{8}) (\d{8})(?: (\d{8}))?) ([0-9a-f]{8})\n/
/** The content always has this size, so that nothing is left of what an earlier version wrote. */
const STATE_BYTES = 80

export function encodeState({ number, bytes, needed, settled }: LogState): string {
  const text = `mark ${digits(number, 12)} ${[bytes, needed, settled].map((count) => digits(count, 8)).join(' ')}`
  return `${text} ${checksumOf(text)}\n`.padEnd(STATE_BYTES, '\n')
}

/** @returns `undefined` if the content is not a state as it was written */
export function decodeState(content: string): LogState | undefined {
  const [, kind, opened, text = '', number, bytes, needed, settled, checksum] = STATE.exec(content) ?? []
  if (checksum !== checksumOf(text)) return undefined
  const isOpen = kind === undefined || (kind === 'open' && opened === number)
  const counts = isOpen ? { bytes: Number(bytes), needed: Number(needed) } : { bytes: 0, needed: 0 }
  return { number: Number(number), ...counts, settled: Number(settled) }
}

const checksumOf = (text: string) => crc32(text).toString(16).padStart(8, '0')
