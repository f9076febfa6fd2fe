/**
 * The queries that a person ran last, kept in this browser. They belong to the token that ran them: whoever signs in with another
 * one does not see them, and signing out forgets them.
 */
import { user } from '../service/session.ts'

const KEY = 'recent-queries'
const QUERIES_MAX = 30
/** Of one; with all of them a browser still has room for more. */
const CHARACTERS_MAX = 10_000

interface Kept {
  /** Id of the token. */
  by: string
  /** The newest first. */
  queries: string[]
}

/** @returns the newest first */
export function listQueries(): string[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept> | null
    if (!kept || kept.by !== user.value?.id || !Array.isArray(kept.queries)) return []
    return kept.queries.filter((query) => typeof query === 'string')
  } catch {
    return []
  }
}

export function rememberQuery(query: string): void {
  const by = user.value?.id
  if (by === undefined || query.length > CHARACTERS_MAX) return
  const queries = [query, ...listQueries().filter((other) => other !== query)].slice(0, QUERIES_MAX)
  try {
    localStorage.setItem(KEY, JSON.stringify({ by, queries } satisfies Kept))
  } catch {
    // A browser that keeps nothing has no recent queries.
  }
}

export function forgetQueries(): void {
  localStorage.removeItem(KEY)
}
