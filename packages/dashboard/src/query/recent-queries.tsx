/** The queries that were run last in this browser, and their menu. */
import { useState } from 'preact/hooks'
import { Menu, MenuButton } from '../parts/menu.tsx'
import { token, user } from '../service/session.ts'

const KEY = 'recent-queries'
const QUERIES_MAX = 30
/** A browser has room for more than all of them at this length. */
const CHARACTERS_MAX = 10_000

interface Kept {
  /** The id of the token. */
  by: string
  queries: string[]
}

/** @returns the newest first */
function listQueries(): string[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept> | null
    if (!kept || kept.by !== user.value?.id || !Array.isArray(kept.queries)) return []
    return kept.queries.filter((query) => typeof query === 'string')
  } catch {
    return []
  }
}

/** Queries that were run before the owner of the token was known: after a reload the page is usable while it is loaded. */
let unclaimed: string[] = []
user.subscribe((owner) => {
  if (owner) for (const query of unclaimed.splice(0)) rememberQuery(query)
})
token.subscribe((secret) => {
  if (secret === undefined) unclaimed = []
})

export function rememberQuery(query: string): void {
  const by = user.value?.id
  if (query.length > CHARACTERS_MAX) return
  if (by === undefined) {
    unclaimed.push(query)
    return
  }
  const queries = [query, ...listQueries().filter((other) => other !== query)].slice(0, QUERIES_MAX)
  try {
    localStorage.setItem(KEY, JSON.stringify({ by, queries } satisfies Kept))
  } catch {
    // A browser that stores nothing has no recent queries.
  }
}

export function forgetQueries(): void {
  localStorage.removeItem(KEY)
}

export function RecentQueries({ onTake }: { onTake: (query: string) => void }) {
  const [queries, setQueries] = useState<readonly string[]>([])
  return (
    <Menu summary="Recent queries" onOpen={() => setQueries(listQueries())}>
      <div class="card wide recent-queries">
        {queries.length === 0 && <p class="hint">The queries that you run are listed here, in this browser only.</p>}
        {queries.map((query) => (
          <MenuButton key={query} class="quiet mono clip" onClick={() => onTake(query)}>
            {query}
          </MenuButton>
        ))}
        {queries.length > 0 && (
          <MenuButton
            class=""
            onClick={() => {
              forgetQueries()
              setQueries([])
            }}
          >
            Clear the list
          </MenuButton>
        )}
      </div>
    </Menu>
  )
}
