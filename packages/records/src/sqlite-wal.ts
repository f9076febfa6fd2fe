/**
 * Finds out whether SQLite's own log (`records.db-wal`) was damaged since a process that was killed wrote it. SQLite reads it up to the
 * first frame that is not whole, as after a crash, and says nothing of the committed ones behind. The shared memory of that process
 * (`records.db-shm`) says how many there were: SQLite counts a frame there after it is on the disk.
 * Nothing is found where that file is missing, or is older than the log, as after a power cut.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** The last bit of the first number of the log says in which order its checksums read bytes. */
const MAGIC = 0x377f0682
/** The shared memory begins with two equal headers. */
const INDEX_HEADER_BYTES = 48
/** The magic, format, page size, number, and salts of the log's header, which its checksum covers. */
const SUMMED_BYTES = 24

/**
 * Copies a damaged log to `damaged/` beside the file, because SQLite will overwrite it. Call it before the file is opened.
 * @returns all copies that were ever made and not removed
 */
export function keepDamagedWal(file: string): string[] {
  const directory = join(dirname(file), 'damaged')
  const name = `${basename(file)}-wal`
  const listCopies = () => (existsSync(directory) ? readdirSync(directory).filter((one) => one.startsWith(name)) : [])
  if (isWalDamaged(file)) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const copy = join(directory, `${name}.${listCopies().length + 1}`)
    // A log that was deleted has a note of its own: an empty file.
    copyFileSync(existsSync(`${file}-wal`) ? `${file}-wal` : '/dev/null', copy)
  }
  return listCopies().map((one) => join(directory, one))
}

/** Whether committed frames are missing in the log of a database. */
export function isWalDamaged(file: string): boolean {
  // In this order, a log that another process writes to at this moment has no fewer frames than the first file says.
  const index = readIndex(readOrNothing(`${file}-shm`))
  if (!index || index.copied >= index.frames) return false
  const log = readOrNothing(`${file}-wal`)
  const header = readHeader(log)
  if (!header) return true
  // A newer log begins after everything in the older one was copied to the database.
  if (!header.salt.equals(index.salt)) return false
  return countFrames(log, header) < index.frames
}

interface Index {
  /** How many frames were committed, and how many of them are in the database file too. */
  frames: number
  copied: number
  salt: Buffer
}

function readIndex(bytes: Buffer): Index | undefined {
  if (bytes.length < 2 * INDEX_HEADER_BYTES + 4) return undefined
  const [first, second] = [bytes.subarray(0, INDEX_HEADER_BYTES), bytes.subarray(INDEX_HEADER_BYTES, 2 * INDEX_HEADER_BYTES)]
  const [one, two] = sum(first.subarray(0, 40), false, [0, 0])
  if (!first.equals(second) || first.readUInt32LE(40) !== one || first.readUInt32LE(44) !== two) return undefined
  return {
    frames: first.readUInt32LE(16),
    copied: bytes.readUInt32LE(2 * INDEX_HEADER_BYTES),
    salt: first.subarray(32, 40),
  }
}

type Sums = readonly [number, number]

interface Header {
  pageBytes: number
  isBigEndian: boolean
  salt: Buffer
  sums: Sums
}

function readHeader(log: Buffer): Header | undefined {
  if (log.length < HEADER_BYTES) return undefined
  const magic = log.readUInt32BE(0)
  if ((magic & ~1) >>> 0 !== MAGIC) return undefined
  const isBigEndian = (magic & 1) === 1
  const sums = sum(log.subarray(0, SUMMED_BYTES), isBigEndian, [0, 0])
  if (log.readUInt32BE(24) !== sums[0] || log.readUInt32BE(28) !== sums[1]) return undefined
  return { pageBytes: log.readUInt32BE(8), isBigEndian, salt: log.subarray(16, 24), sums }
}

/** @returns how many frames are whole, from the first one on */
function countFrames(log: Buffer, { pageBytes, isBigEndian, salt, sums: first }: Header): number {
  let sums = first
  let frames = 0
  for (let at = HEADER_BYTES; at + FRAME_HEADER_BYTES + pageBytes <= log.length; frames++) {
    const page = at + FRAME_HEADER_BYTES
    if (!log.subarray(at + 8, at + 16).equals(salt)) break
    sums = sum(log.subarray(page, page + pageBytes), isBigEndian, sum(log.subarray(at, at + 8), isBigEndian, sums))
    if (log.readUInt32BE(at + 16) !== sums[0] || log.readUInt32BE(at + 20) !== sums[1]) break
    at = page + pageBytes
  }
  return frames
}

/** SQLite's checksum over 32-bit numbers, two at a time, continued from earlier ones. */
function sum(bytes: Buffer, isBigEndian: boolean, [before, after]: Sums): Sums {
  let [one, two] = [before, after]
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    one = (one + (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + two) >>> 0
    two = (two + (isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + one) >>> 0
  }
  return [one, two]
}

function readOrNothing(path: string): Buffer {
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
}
