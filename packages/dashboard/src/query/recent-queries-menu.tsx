/** The queries that were run last, to be written into the field once more. */
import { useState } from 'preact/hooks'
import { closeMenu, Menu } from '../parts/menu.tsx'
import { forgetQueries, listQueries } from './recent-queries.ts'

export function RecentQueries({ onTake }: { onTake: (query: string) => void }) {
  const [queries, setQueries] = useState<readonly string[]>([])
  return (
    <Menu summary="Recent queries" onOpen={() => setQueries(listQueries())}>
      <div class="card wide recent-queries">
        {queries.length === 0 && <p class="hint">The queries that you run are listed here, in this browser only.</p>}
        {queries.map((query) => (
          <button
            key={query}
            type="button"
            class="quiet mono clip"
            onClick={({ currentTarget }) => {
              closeMenu(currentTarget)
              onTake(query)
            }}
          >
            {query}
          </button>
        ))}
        {queries.length > 0 && (
          <button
            type="button"
            onClick={({ currentTarget }) => {
              forgetQueries()
              setQueries([])
              closeMenu(currentTarget)
            }}
          >
            Clear the list
          </button>
        )}
      </div>
    </Menu>
  )
}
