/**
 * How many files this process may open, whether that is enough, and how many are open: connections are files, every path of a wide
 * part is several, and a merge holds those of all its parts. Where there are none left, inserts and queries fail.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { keptFor } from './kept-for.ts'

/** Above the most that one dataset was measured to need: 12,200 with 10,000 distinct keys, 3,800 with 1,000. */
const OPEN_FILES_NEEDED = 16_384
/** A service that has just started has 150 open, and one with a few small datasets 260. */
const OPEN_FILES_MIN = 256
/** The files that connections leave to the engine, and the largest part of all files that connections take. */
const OPEN_FILES_KEPT = 400
const PART_OF_CONNECTIONS = 3 / 4
const CONNECTIONS_MIN = 32
/** Above this part of the limit an insert into a dataset with many fields may fail. */
const USED_MAX = 0.9
/** How old the last count may be: with thousands of connections it takes milliseconds, and health may be read forty times a second. */
const COUNT_MS = 1_000

/** @returns the limit of this process, `Infinity` where the system does not say */
export function readOpenFilesMax(read: () => string = () => readFileSync('/proc/self/limits', 'utf8')): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(read())?.[1] ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/**
 * @returns a warning for the operator, `undefined` if the limit is high enough
 * @throws Error if the service would not work with so few
 */
export function checkOpenFilesMax(limit: number): string | undefined {
  const raise = `raise the limit with ulimit -n ${OPEN_FILES_NEEDED} or LimitNOFILE=`
  if (limit < OPEN_FILES_MIN)
    throw new Error(`this process may open ${limit} files, and needs ${OPEN_FILES_MIN} at least; ${raise}`)
  if (limit >= OPEN_FILES_NEEDED) return undefined
  return `this process may open ${limit} files, but datasets with many fields can need ${OPEN_FILES_NEEDED}, and inserts would then fail; ${raise}`
}

/** @returns how many connections there may be at a time, so that the engine has files left */
export function connectionsMax(limit: number): number {
  return Math.max(Math.floor(Math.min(limit - OPEN_FILES_KEPT, limit * PART_OF_CONNECTIONS)), CONNECTIONS_MIN)
}

type OpenFilesResult = { status: 'degraded' | 'failed'; message: string }

interface OpenFiles {
  open: number
  limit: number
}

/**
 * @param count how many files are open and allowed; `undefined` where the system does not say
 * @returns a health check, which counts at most once in {@link COUNT_MS}
 */
export function createOpenFilesCheck(count = countOpenFiles): () => OpenFilesResult | undefined {
  return keptFor(COUNT_MS, () => judge(count))
}

function judge(count: () => OpenFiles | undefined): OpenFilesResult | undefined {
  let files: OpenFiles | undefined
  try {
    files = count()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EMFILE' || code === 'ENFILE') return { status: 'failed', message: 'there are none left' }
    throw error
  }
  if (!files || files.open <= files.limit * USED_MAX) return undefined
  return { status: 'degraded', message: `${files.open} of ${files.limit} are in use` }
}

function countOpenFiles(): OpenFiles | undefined {
  const limit = readOpenFilesMax()
  return Number.isFinite(limit) ? { open: readdirSync('/proc/self/fd').length, limit } : undefined
}
