/**
 * Whether this process may open as many files as the engine can need: every path of a wide part is several files, and a merge
 * holds those of all its parts. Where the limit was too low, every later insert failed until a restart.
 */
import { readFileSync } from 'node:fs'

/** Above the most that one dataset was measured to need: 12,200 with 10,000 distinct keys, 3,800 with 1,000. */
const OPEN_FILES_NEEDED = 16_384

/** @returns what to tell the operator, `undefined` if the limit is high enough or unknown */
export function checkOpenFiles(read: () => string = () => readFileSync('/proc/self/limits', 'utf8')): string | undefined {
  let limits: string
  try {
    limits = read()
  } catch {
    return undefined
  }
  const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1])
  if (!(limit < OPEN_FILES_NEEDED)) return undefined
  return `this process may open ${limit} files, but datasets with many fields can need ${OPEN_FILES_NEEDED}, and inserts would then fail; raise the limit with ulimit -n ${OPEN_FILES_NEEDED} or LimitNOFILE=`
}
