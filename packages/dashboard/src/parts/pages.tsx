/** Which rows of a long list are shown, and the buttons that show those before and after them. */

interface PagesProps {
  /** The index of the first row that is shown. */
  first: number
  /** How many rows are shown at a time. */
  rows: number
  total: number
  /** What is said if there are no rows. */
  none: string
  /** How the rows are ordered, after their numbers. */
  order?: string
  words: readonly [before: string, after: string]
  onFirst: (first: number) => void
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
