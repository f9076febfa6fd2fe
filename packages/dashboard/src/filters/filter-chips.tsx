/** The filters of the page as chips; a click inverts one, and its cross removes it. */
import { SignButton } from '../parts/sign-button.tsx'
import './filters.css'
import { navigate, view } from '../address/navigation.ts'
import { useLostFocus } from '../parts/focus.ts'
import { showBeginning } from '../query/name.ts'
import { removeFilter, turnFilter } from './change-filters.ts'
import { describeFilter, readFilter } from './filter.ts'

interface FilterChipsProps {
  /** The query with the filters in it; absent where several charts share them. */
  query?: string
}

export function FilterChips({ query }: FilterChipsProps) {
  const { filters } = view.value
  const place = useLostFocus<HTMLUListElement>(filters.length)
  return (
    <div class="row filter-chips" hidden={filters.length === 0}>
      <ul ref={place} tabIndex={-1} aria-label="Filters">
        {filters.map((predicate) => (
          <Chip key={predicate} predicate={predicate} />
        ))}
      </ul>
      <button type="button" class="quiet" onClick={() => navigate({ filters: [] })}>
        Remove all
      </button>
      {query !== undefined && (
        <button type="button" class="quiet" onClick={() => navigate({ apl: query, filters: [] })}>
          Open as a query
        </button>
      )}
    </div>
  )
}

function Chip({ predicate }: { predicate: string }) {
  const words = showBeginning(describeFilter(predicate))
  const filter = readFilter(predicate)
  return (
    <li class={filter?.isExcluded ? 'is-excluded' : ''}>
      {filter ? (
        <button
          type="button"
          class="quiet clip"
          title="Click for the events that it leaves out"
          onClick={() => turnFilter(predicate)}
        >
          {words}
        </button>
      ) : (
        <code class="clip">{words}</code>
      )}
      <SignButton label={`Remove the filter: ${words}`} onClick={() => removeFilter(predicate)}>
        ✕
      </SignButton>
    </li>
  )
}
