/** Which rows of a long list are shown, and the buttons that show those before and after them. */
import { useState } from 'preact/hooks'

interface Page {
  /** The index of the first row that is shown. */
  first: number
  /** How many rows are shown at a time. */
  rows: number
  total: number
  onFirst: (first: number) => void
}

/** @returns the page to show, and its rows */
export function usePage<T>(all: readonly T[], rows: number): { page: Page; shown: readonly T[] } {
  const [asked, onFirst] = useState(0)
  // The last row of the last page may be gone.
  const first = asked < all.length ? asked : 0
  return { page: { first, rows, total: all.length, onFirst }, shown: all.slice(first, first + rows) }
}

interface PagesProps extends Page {
  /** What is said if there are no rows. */
  none: string
  /** How the rows are ordered, after their numbers. */
  order?: string
  words: readonly [before: string, after: string]
}

export function Pages({ first, rows, total, none, order = '', words: [before, after], onFirst }: PagesProps) {
  const last = Math.min(total, first + rows)
  const count = (value: number) => value.toLocaleString('en')
  return (
    <>
      <span class="hint" role="status">
        {total === 0 ? none : `${count(first + 1)}–${count(last)} of ${count(total)}${order}`}
      </span>
      {total > rows && (
        <span class="row push">
          <button type="button" disabled={first === 0} onClick={() => onFirst(Math.max(0, first - rows))}>
            {before}
          </button>
          <button type="button" disabled={last >= total} onClick={() => onFirst(first + rows)}>
            {after}
          </button>
        </span>
      )}
    </>
  )
}
