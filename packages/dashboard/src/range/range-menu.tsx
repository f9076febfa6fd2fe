/** The menu of ranges: recent minutes to days, weeks and months, days of a calendar, typed times, and links to the page. */
import { useEffect, useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { formatRange, isMoving, type Range, resolveRange, TIME_FORMS, type Times } from '../address/range.ts'
import { formatView, type View } from '../address/view.ts'
import {
  dayOf,
  listCalendarTimes,
  listZones,
  type NamedTimes,
  timesOfDays,
  withoutZone,
  withZone,
  zoneName,
} from '../address/zone.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Field } from '../parts/field.tsx'
import { closeMenu } from '../parts/menu.tsx'

interface TypedRangeProps extends Times {
  zone: string
  onChange: (times: Times) => void
}

function TypedRange({ startTime, endTime, zone, onChange }: TypedRangeProps) {
  const shown = { startTime: withoutZone(startTime, zone), endTime: withoutZone(endTime, zone) }
  const [texts, setTexts] = useState(shown)
  const [error, setError] = useState('')
  useEffect(() => {
    setTexts(shown)
    setError('')
  }, [startTime, endTime, zone])
  // A text that was not edited keeps its value: the hour after the clocks are set back has the same texts as the one before.
  const read = (name: keyof Times) => {
    const given = { startTime, endTime }[name]
    return texts[name] === shown[name] ? given : withZone(texts[name], zone)
  }
  const show = (form: Element) => {
    try {
      const times = { startTime: read('startTime'), endTime: read('endTime') }
      resolveRange(times.startTime, times.endTime, Date.now())
      setError('')
      onChange(times)
      closeMenu(form)
    } catch (failure) {
      setError(failure instanceof RangeError ? failure.message : String(failure))
    }
  }
  return (
    <form
      class="typed-range"
      onSubmit={(event) => {
        event.preventDefault()
        show(event.currentTarget)
      }}
    >
      <Field id="range-start" label="From" value={texts.startTime} onText={(startTime) => setTexts({ ...texts, startTime })} />
      <Field id="range-end" label="To" value={texts.endTime} onText={(endTime) => setTexts({ ...texts, endTime })} />
      <p class={error ? 'failure' : 'hint'} role={error ? 'alert' : undefined}>
        {error || TIME_FORMS}
      </p>
      <button type="submit" class="primary">
        Show
      </button>
    </form>
  )
}

interface DayRangeProps extends Times {
  range: Range | undefined
  zone: string
  onChange: (times: Times) => void
}

/** Nothing can be stored before or after these days. */
const DAY = { type: 'date', required: true, min: '1900-01-01', max: '2262-04-10' } as const

function DayRange({ startTime, endTime, range, zone, onChange }: DayRangeProps) {
  const [edited, setEdited] = useState<{ first?: string; last?: string }>({})
  useEffect(() => setEdited({}), [startTime, endTime, zone])
  const first = edited.first ?? (range ? dayOf(range.startMs, zone) : '')
  // The first day that is chosen is a range of its own until the other one is chosen.
  const unedited = range ? dayOf(range.endMs - 1, zone) : ''
  const isBehind = first > unedited
  const last = edited.last ?? (isBehind ? first : unedited)
  return (
    <form
      class="day-range"
      aria-label="Whole days"
      onSubmit={(event) => {
        event.preventDefault()
        onChange(timesOfDays(first, last, zone))
        closeMenu(event.currentTarget)
      }}
    >
      <Field {...DAY} id="range-first" label="First day" value={first} onText={(day) => setEdited({ ...edited, first: day })} />
      <Field {...DAY} id="range-last" label="Last day" value={last} onText={(day) => setEdited({ ...edited, last: day })} />
      <button type="submit">Show days</button>
    </form>
  )
}

function CopyLinks({ range }: { range: Range | undefined }) {
  const { startTime, endTime } = view.value
  const moves = range !== undefined && isMoving(startTime, endTime)
  return (
    // The sign of a copied link disappears when the range changes.
    <div class="copy-links" key={`${startTime} ${endTime}`}>
      {moves && <p class="hint">A link follows the clock. With fixed times, everybody sees this range.</p>}
      <CopyButton label="Copy link" text={location.origin + formatView(view.value)} />
      {moves && <CopyButton label="Copy link with fixed times" text={location.origin + formatView(fixed(view.value, range))} />}
    </div>
  )
}

/** A fixed range does not update while the page is live. */
function fixed(moving: View, range: Range): View {
  return { ...moving, ...formatRange(range), live: false, refresh: '' }
}

export interface RangeMenuProps extends Times {
  range: Range | undefined
  zone: string
  /** The time at which the menu was opened. */
  openedMs: number
  onChange: (times: Times) => void
  onZone: (zone: string) => void
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

export function RangeMenu({ startTime, endTime, range, zone, openedMs, onChange, onZone }: RangeMenuProps) {
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
      {names('Calendar', listCalendarTimes(openedMs, zone))}
      <div class="range-forms">
        <p class="zone-choice">
          <label for="zone">Times in</label>{' '}
          <select id="zone" value={zone} onChange={({ currentTarget }) => onZone(currentTarget.value)}>
            <option value="">{zoneName('')}, as this browser</option>
            {listZones().map((name) => (
              <option key={name} value={name}>
                {name.replaceAll('_', ' ')}
              </option>
            ))}
          </select>
        </p>
        <DayRange startTime={startTime} endTime={endTime} range={range} zone={zone} onChange={onChange} />
        <TypedRange startTime={startTime} endTime={endTime} zone={zone} onChange={onChange} />
      </div>
      <div class="range-rest">
        <CopyLinks range={range} />
      </div>
    </div>
  )
}

const UNITS: Readonly<Record<string, string>> = { s: 'second', m: 'minute', h: 'hour', d: 'day', w: 'week' }

/** @returns such as `Last 3 hours` or `Today`; `undefined` if the range has no name */
export function nameRange(startTime: string, endTime: string, zone: string): string | undefined {
  const named = [...LATEST, ...listCalendarTimes(Date.now(), zone)]
  const found = named.find((times) => times.startTime === startTime && times.endTime === endTime)
  if (found || endTime !== 'now') return found?.name
  const [, count = '', unit = ''] = /^now-(\d+)([smhdw])$/.exec(startTime) ?? []
  if (unit === '') return undefined
  return count === '1' ? `Last ${UNITS[unit]}` : `Last ${count} ${UNITS[unit]}s`
}
