/** Refreshes the page, now or every so often. */
import { INTERVALS } from './refresh.ts'

export interface RefreshButtonProps {
  onRefresh: () => void
  /** How often it refreshes by itself, as the address says it. */
  every: string
  onEvery: (every: string) => void
}

export function RefreshButton({ onRefresh, every, onEvery }: RefreshButtonProps) {
  return (
    <span class="refresh">
      <button type="button" aria-label="Refresh" onClick={onRefresh}>
        <span class="refresh-word">Refresh</span>
        <span class="refresh-sign">⟳</span>
      </button>
      <select aria-label="Refresh every" value={every} onChange={({ currentTarget }) => onEvery(currentTarget.value)}>
        {INTERVALS.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </span>
  )
}
