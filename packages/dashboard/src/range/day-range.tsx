/**
 * A range of whole days. The calendar is the browser's own: it speaks the person's language, is reached by keyboard and by touch, and
 * is read by screen readers.
 */
import { useEffect, useState } from 'preact/hooks'
import { timesOfDays } from '../address/calendar.ts'
import type { Range, Times } from '../address/range.ts'
import { dayOf } from '../address/zone.ts'
import { closeMenu } from '../parts/menu.tsx'

interface DayRangeProps extends Times {
  range: Range | undefined
  utc: boolean
  onChange: (times: Times) => void
}

/** Nothing is stored before or after. */
const DAYS = { min: '1900-01-01', max: '2262-04-10' }

export function DayRange({ startTime, endTime, range, utc, onChange }: DayRangeProps) {
  const [edited, setEdited] = useState<{ first?: string; last?: string }>({})
  useEffect(() => setEdited({}), [startTime, endTime, utc])
  const first = edited.first ?? (range ? dayOf(range.startMs, utc) : '')
  // A day that is chosen first is a range of its own until another one is chosen, too.
  const unedited = range ? dayOf(range.endMs - 1, utc) : ''
  const isBehind = first > unedited
  const last = edited.last ?? (isBehind ? first : unedited)
  return (
    <form
      class="day-range"
      aria-label="Whole days"
      onSubmit={(event) => {
        event.preventDefault()
        onChange(timesOfDays(first, last, utc))
        closeMenu(event.currentTarget)
      }}
    >
      <label for="range-first">First day</label>
      <input
        {...DAYS}
        id="range-first"
        type="date"
        required
        value={first}
        onInput={({ currentTarget }) => setEdited({ ...edited, first: currentTarget.value })}
      />
      <label for="range-last">Last day</label>
      <input
        {...DAYS}
        id="range-last"
        type="date"
        required
        value={last}
        onInput={({ currentTarget }) => setEdited({ ...edited, last: currentTarget.value })}
      />
      <button type="submit">Show days</button>
    </form>
  )
}
