/**
 * Queries that the service asks itself, as people ask them over HTTP.
 */
import type { Answer, Ask } from '@deployment-annotations/compare/comparison'
import { parseExact } from '@deployment-annotations/contract/exact-json'
import type { Caller } from '@deployment-annotations/runtime/caller'
import type { Queries } from '../query/queries.ts'

interface OwnQueries {
  queries: Pick<Queries, 'apl'>
  /** What asks: all that it asks together has the share of one caller. */
  by: string
  signal: AbortSignal
}

/** @returns asks a query; it throws whatever the query throws */
export function askItself({ queries, by, signal }: OwnQueries): Ask {
  return async ({ apl }, range) => {
    const asked = {
      body: { apl, ...range },
      cursor: undefined,
      countMatches: undefined,
      wantsAll: true,
      caller: callerOf(by),
      signal,
    }
    await using answer = await queries.apl(asked, { format: 'tabular' })
    const pieces: Uint8Array[] = []
    for await (const piece of answer.pieces) pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece)
    return parseExact(Buffer.concat(pieces).toString()) as Answer
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
