/** What the range can be: a usual one by its name, whole days, or what is typed; and the zone that it is in. */

import { listCalendarTimes, type NamedTimes } from '../address/calendar.ts'
import type { Range, Times } from '../address/range.ts'
import { zoneName } from '../address/zone.ts'
import { closeMenu } from '../parts/menu.tsx'
import { CopyLinks } from './copy-links.tsx'
import { DayRange } from './day-range.tsx'
import { TypedRange } from './typed-range.tsx'

export interface RangeMenuProps extends Times {
  range: Range | undefined
  utc: boolean
  /** When the menu was opened. */
  openedMs: number
  onChange: (times: Times) => void
  onUtc: (utc: boolean) => void
}

const LATEST: readonly NamedTimes[] = [
  { name: 'Last 15 minutes', startTime: 'now-15m', endTime: 'now' },
  { name: 'Last hour', startTime: 'now-1h', endTime: 'now' },
  { name: 'Last 3 hours', startTime: 'now-3h', endTime: 'now' },
  { name: 'Last 12 hours', startTime: 'now-12h', endTime: 'now' },
  { name: 'Last 24 hours', startTime: 'now-1d', endTime: 'now' },
  { name: 'Last 7 days', startTime: 'now-7d', endTime: 'now' },
  { name: 'Last 30 days', startTime: 'now-30d', endTime: 'now' },
]

export function RangeMenu({ startTime, endTime, range, utc, openedMs, onChange, onUtc }: RangeMenuProps) {
  const names = (label: string, list: readonly NamedTimes[]) => (
    <fieldset class="range-names">
      <legend class="visually-hidden">{label}</legend>
      {list.map(({ name, ...times }) => (
        <button
          key={name}
          type="button"
          class="quiet"
          aria-pressed={startTime === times.startTime && endTime === times.endTime}
          onClick={(event) => {
            onChange(times)
            closeMenu(event.currentTarget)
          }}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
  return (
    <div class="card wide range-menu">
      {names('Up to now', LATEST)}
      {names('Of the calendar', listCalendarTimes(openedMs, utc))}
      <div class="range-forms">
        <p class="zone">Times in {zoneName(utc)}</p>
        <DayRange startTime={startTime} endTime={endTime} range={range} utc={utc} onChange={onChange} />
        <TypedRange startTime={startTime} endTime={endTime} utc={utc} onChange={onChange} />
      </div>
      <div class="range-rest">
        {zoneName(false) !== 'UTC' && (
          <label class="toggle">
            <input type="checkbox" checked={utc} onChange={() => onUtc(!utc)} /> Times in UTC, not in {zoneName(false)}
          </label>
        )}
        <CopyLinks range={range} />
      </div>
    </div>
  )
}

const UNITS: Readonly<Record<string, string>> = { s: 'second', m: 'minute', h: 'hour', d: 'day', w: 'week' }

/** @returns such as `Last 3 hours` or `Today`; `undefined` of a range that has no name */
export function nameRange(startTime: string, endTime: string, utc: boolean): string | undefined {
  const named = [...LATEST, ...listCalendarTimes(Date.now(), utc)]
  const found = named.find((times) => times.startTime === startTime && times.endTime === endTime)
  if (found || endTime !== 'now') return found?.name
  const [, count = '', unit = ''] = /^now-(\d+)([smhdw])$/.exec(startTime) ?? []
  if (unit === '') return undefined
  return count === '1' ? `Last ${UNITS[unit]}` : `Last ${count} ${UNITS[unit]}s`
}
