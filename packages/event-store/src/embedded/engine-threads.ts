/**
 * The event loop goes before the engine's queries where both want a processor: the threads in which queries run get a lower priority.
 * Otherwise a few long queries on all processors make every short request wait until the system's scheduler comes round to it.
 * The engine has a setting for this, which does nothing without a capability that a service should not have; anybody may lower a thread.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, getPriority, setPriority } from 'node:os'

const LOWEST = 19
/**
 * Where the event loop cannot take all processors, queries get what it leaves. With one, they have a third of what it has where both are
 * busy, so that they do not starve.
 */
const LOWER_BY = availableParallelism() > 1 ? LOWEST : 5
/** Threads appear some time after a query has begun, and are looked for at most so often. */
const SEARCH_MS = 100
const THREADS = '/proc/self/task'
/** The names of threads that run queries; those that wait for work keep theirs. */
const OF_QUERIES = /^Query/

let searching: NodeJS.Timeout | undefined
/** The threads that were found before. */
let known: ReadonlySet<string> = new Set()

/** Lowers the threads of the queries that run soon after; does nothing where the system has no such list of threads. */
export function lowerQueryThreads(): void {
  if (searching) return
  searching = setTimeout(() => {
    searching = undefined
    try {
      known = new Set(readdirSync(THREADS).filter((id) => known.has(id) || lower(id)))
    } catch {
      // Another system than Linux.
    }
  }, SEARCH_MS).unref()
}

/** @returns whether it is a thread of queries */
function lower(id: string): boolean {
  try {
    if (!OF_QUERIES.test(readFileSync(`${THREADS}/${id}/comm`, 'utf8'))) return false
    setPriority(Number(id), Math.min(getPriority() + LOWER_BY, LOWEST))
    return true
  } catch {
    // The thread has ended.
    return false
  }
}
