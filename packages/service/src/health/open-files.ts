/**
 * How many files this process may open, and whether that is enough: connections are files, every path of a wide part is several, and
 * a merge holds those of all its parts. Where there are none left, inserts and queries fail.
 */
import { readFileSync } from 'node:fs'

/** Above the most that one dataset was measured to need: 12,200 with 10,000 distinct keys, 3,800 with 1,000. */
const OPEN_FILES_NEEDED = 16_384
/** A service that has just started has 150 open, and one with a few small datasets 260. */
const OPEN_FILES_MIN = 256
/** What connections leave to the engine, and the most that they take. */
const OPEN_FILES_KEPT = 400
const PART_OF_CONNECTIONS = 3 / 4
const CONNECTIONS_MIN = 32

/** @returns `Infinity` where the system does not say */
export function readOpenFilesMax(read: () => string = () => readFileSync('/proc/self/limits', 'utf8')): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(read())?.[1] ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/**
 * @returns what to tell the operator, `undefined` if the limit is high enough
 * @throws Error where the service would not work with so few
 */
export function checkOpenFiles(limit = readOpenFilesMax()): string | undefined {
  const raise = `raise the limit with ulimit -n ${OPEN_FILES_NEEDED} or LimitNOFILE=`
  if (limit < OPEN_FILES_MIN)
    throw new Error(`this process may open ${limit} files, and needs ${OPEN_FILES_MIN} at least; ${raise}`)
  if (limit >= OPEN_FILES_NEEDED) return undefined
  return `this process may open ${limit} files, but datasets with many fields can need ${OPEN_FILES_NEEDED}, and inserts would then fail; ${raise}`
}

/** @returns how many connections there may be at a time, so that the engine has files left */
export function connectionsMax(limit = readOpenFilesMax()): number {
  return Math.max(Math.floor(Math.min(limit - OPEN_FILES_KEPT, limit * PART_OF_CONNECTIONS)), CONNECTIONS_MIN)
}
