/**
 * Queries that the service asks itself: as those that come over HTTP, and with answers that are values.
 */
import type { Ask } from '@deployment-annotations/compare/comparison'
import type { Caller } from '@deployment-annotations/runtime/caller'
import type { Queries } from '../query/queries.ts'

interface OwnQueries {
  queries: Pick<Queries, 'readTable'>
  /** What asks: all that it asks together has the share of one caller. */
  by: string
  signal: AbortSignal
}

/** @returns asks a query; it throws whatever the query throws */
export function askItself({ queries, by, signal }: OwnQueries): Ask {
  return async ({ apl }, range) => {
    const asked = { body: { apl, ...range }, wantsAll: true, caller: callerOf(by), signal }
    const { table, status } = await queries.readTable(asked)
    return { tables: [table], status }
  }
}

/** No person waits for its answers, so it is patient. */
const callerOf = (id: string): Caller & { waitMsMax: number } => ({
  id,
  sinceMs: performance.now(),
  waitMsMax: 60_000,
  limit: undefined,
  may: () => true,
  require: () => {},
})
