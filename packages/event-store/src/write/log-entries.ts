/**
 * Encodes and decodes the entries of the write-ahead log. An entry is a length, a checksum, a line of JSON, and the rows, so that an
 * entry which is not whole is recognized. Entries that are written and synced together begin with one that says where they begin and how
 * many requests the log needs at that moment. It shows that everything before it was on the disk, and how much of that is gone now.
 * The file `state` is encoded here too. Deliberately not here: files, and the conclusions from what cannot be read (log-reading.ts).
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

/** Bytes of a file: an entry, or what cannot be read. */
export type LogPiece = { at: number } & (
  | { entry: LogEntry; to: number }
  | { start: BatchStart; to: number }
  | { unreadable: Unreadable }
)

export interface Unreadable {
  /** Where the next whole entry begins, or where the last one of these ends by its length. */
  to: number
  /** How many requests these bytes may have been; 0 if they only settled some. */
  requests: number
}

/** The size of the length and the checksum. */
const FRAME_BYTES = 8
const NEWLINE = 0x0a
/** How the line of JSON of every entry begins. */
const OPENING = '{"'
/** Entries whose loss loses no rows. */
const WITHOUT_ROWS = /^\{"(?:batch":|table":"[^"]*","settled":)/

/** A file has this size from its beginning, so that one that was cut off is recognized. What is not written yet takes no room. */
export const SIZE_BYTES = 12_582_912

/** @returns the bytes of an entry, in pieces */
export function encodeEntry(entry: LogEntry | BatchStart): Uint8Array[] {
  const pieces = 'body' in entry ? encodeRows(entry) : [Buffer.from(`${JSON.stringify(entry)}\n`)]
  const frame = Buffer.allocUnsafe(FRAME_BYTES)
  frame.writeUInt32LE(bytesOf(pieces), 0)
  frame.writeUInt32LE(
    pieces.reduce((sum, piece) => crc32(piece, sum), 0),
    4,
  )
  return [frame, ...pieces]
}

function encodeRows({ table, body, blocks, ...header }: WaitingRows): Uint8Array[] {
  return [Buffer.from(`${JSON.stringify({ table, ...header, textBytes: body.length })}\n`), body, ...blocks]
}

export function bytesOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}

/** @returns the entries of a file with what is between them, in order; zeros at its end are not a part of it */
export function* decodePieces(bytes: Buffer): Generator<LogPiece> {
  const end = writtenLength(bytes)
  for (let at = 0; at < end; ) {
    const whole = decodeAt(bytes, at)
    if (whole) {
      yield { at, ...whole.piece, to: whole.to }
      at = whole.to
      continue
    }
    const next = findWhole(bytes, at + 1)
    const unreadable = measureUnreadable(bytes, at, next)
    yield { at, unreadable }
    at = next ?? end
  }
}

interface Whole {
  piece: { entry: LogEntry } | { start: BatchStart }
  to: number
}

/** @returns the entry at this place; `undefined` if there is none, or it is not whole */
function decodeAt(bytes: Buffer, at: number): Whole | undefined {
  const from = at + FRAME_BYTES
  if (from >= bytes.length) return undefined
  const to = from + bytes.readUInt32LE(at)
  // No entry is empty. The checksum of nothing is 0, so zeros would be one.
  if (to === from || to > bytes.length) return undefined
  const payload = bytes.subarray(from, to)
  if (crc32(payload) !== bytes.readUInt32LE(at + 4)) return undefined
  const lineEnd = payload.indexOf(NEWLINE)
  const header = parseHeader(payload.toString('utf8', 0, lineEnd))
  if (!header) return undefined
  if ('batch' in header) return { piece: { start: header }, to }
  return { piece: { entry: 'settled' in header ? header : decodeRows(header, payload.subarray(lineEnd + 1)) }, to }
}

type RowsHeader = Omit<WaitingRows, 'body' | 'blocks'> & { textBytes: number }

function parseHeader(line: string): RowsHeader | SettledRows | BatchStart | undefined {
  try {
    return JSON.parse(line) as RowsHeader | SettledRows | BatchStart
  } catch {
    return undefined
  }
}

/** The rows are copied, because the file is much larger than what waits in it. */
function decodeRows({ textBytes, ...header }: RowsHeader, rows: Buffer): WaitingRows {
  const blocks = Buffer.from(rows.subarray(textBytes))
  return { ...header, body: Buffer.from(rows.subarray(0, textBytes)), blocks: blocks.length > 0 ? [blocks] : [] }
}

/** @returns where the first whole entry from this place on begins */
function findWhole(bytes: Buffer, from: number): number | undefined {
  for (let line = bytes.indexOf(OPENING, from + FRAME_BYTES); line !== -1; line = bytes.indexOf(OPENING, line + 1)) {
    const at = line - FRAME_BYTES
    if (decodeAt(bytes, at)) return at
  }
  return undefined
}

/** Follows the lengths of entries that are not whole. */
function measureUnreadable(bytes: Buffer, from: number, next: number | undefined): Unreadable {
  let requests = 0
  let at = from
  for (const end = next ?? writtenLength(bytes); at < end; ) {
    const header = bytes.toString('latin1', at + FRAME_BYTES, at + 120)
    if (!WITHOUT_ROWS.test(header)) requests++
    const length = at + FRAME_BYTES > bytes.length ? 0 : bytes.readUInt32LE(at)
    const to = at + FRAME_BYTES + length
    if (length === 0 || to > (next ?? bytes.length)) return { to: next ?? end, requests }
    at = to
  }
  return { to: next ?? at, requests }
}

/** @returns where the zeros at the end of a file begin, which are no entries */
export function writtenLength(bytes: Buffer): number {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return end
}

export const fileName = (number: number) => `${String(number).padStart(12, '0')}.log`

/** Which file of the log must exist. */
export interface LogState {
  isOpen: boolean
  number: number
}

const STATE = /^(open|closed) (\d{12}) ([0-9a-f]{8})\n/

/** @returns the content of the file that says which file of the log must exist, with zeros at its end */
export function encodeState({ isOpen, number }: LogState): string {
  const text = `${isOpen ? 'open' : 'closed'} ${String(number).padStart(12, '0')}`
  return `${text} ${crc32(text).toString(16).padStart(8, '0')}\n`.padEnd(MARK_AT, '\n')
}

/** How much of the newest file was on the disk before the last answer that said so. */
export interface LogMark {
  number: number
  bytes: number
  /** How many requests of all files were not settled then. */
  needed: number
}

/** The mark stands behind the state in the same file, so that one of them is written without the other. */
export const MARK_AT = 32
const MARK_BYTES = 48
const MARK = /^mark (\d{12}) (\d{8}) (\d{8}) ([0-9a-f]{8})\n/

export function encodeMark({ number, bytes, needed }: LogMark): string {
  const text = `mark ${String(number).padStart(12, '0')} ${String(bytes).padStart(8, '0')} ${String(needed).padStart(8, '0')}`
  return `${text} ${crc32(text).toString(16).padStart(8, '0')}\n`.padEnd(MARK_BYTES, '\n')
}

/** @returns the mark in the content of the file; `undefined` if there is none, or it is not whole */
export function decodeMark(content: string): LogMark | undefined {
  const [line = '', number, bytes, needed] = MARK.exec(content.slice(MARK_AT)) ?? []
  const mark = { number: Number(number), bytes: Number(bytes), needed: Number(needed) }
  return line !== '' && encodeMark(mark).startsWith(line) ? mark : undefined
}

/** @returns `undefined` if it is not one */
export function decodeState(text: string): LogState | undefined {
  const [line = '', kind, digits] = STATE.exec(text) ?? []
  const state = { isOpen: kind === 'open', number: Number(digits) }
  return line !== '' && encodeState(state).startsWith(line) ? state : undefined
}
