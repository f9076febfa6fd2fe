/** The menu of ranges: recent minutes to days, weeks and months, days of a calendar, typed times, and links to the page. */
import { useEffect, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
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
import { Form } from '../parts/form.tsx'
import { closeMenu, MenuButton } from '../parts/menu.tsx'
import { Select } from '../parts/select.tsx'
import { describeError } from '../service/request.ts'

function TypedRange() {
  const { startTime, endTime, zone } = view.value
  const shown = { startTime: withoutZone(startTime, zone), endTime: withoutZone(endTime, zone) }
  const [texts, setTexts] = useState(shown)
  const [error, setError] = useState('')
  useEffect(() => {
    setTexts(shown)
    setError('')
  }, [startTime, endTime, zone])
  // A text that was not edited keeps its value: the hour after the clocks are set back has the same texts as the one before.
  const read = (name: keyof Times) => (texts[name] === shown[name] ? view.value[name] : withZone(texts[name], zone))
  const show = (form: Element) => {
    const times = { startTime: read('startTime'), endTime: read('endTime') }
    try {
      resolveRange(times.startTime, times.endTime, Date.now())
    } catch (failure) {
      return setError(describeError(failure))
    }
    setError('')
    navigate(times)
    closeMenu(form)
  }
  return (
    <Form class="typed-range" onSubmit={show}>
      <Field id="range-start" label="From" value={texts.startTime} onText={(startTime) => setTexts({ ...texts, startTime })} />
      <Field id="range-end" label="To" value={texts.endTime} onText={(endTime) => setTexts({ ...texts, endTime })} />
      <p class={error ? 'failure' : 'hint'} role={error ? 'alert' : undefined}>
        {error || TIME_FORMS}
      </p>
      <button type="submit" class="primary">
        Show
      </button>
    </Form>
  )
}

/** Nothing can be stored before or after these days. */
const DAY = { type: 'date', required: true, min: '1900-01-01', max: '2262-04-10' } as const

function DayRange({ range }: { range: Range | undefined }) {
  const { startTime, endTime, zone } = view.value
  const [edited, setEdited] = useState<{ first?: string; last?: string }>({})
  useEffect(() => setEdited({}), [startTime, endTime, zone])
  const first = edited.first ?? (range ? dayOf(range.startMs, zone) : '')
  // The first day that is chosen is a range of its own until the other one is chosen.
  const unedited = range ? dayOf(range.endMs - 1, zone) : ''
  const isBehind = first > unedited
  const last = edited.last ?? (isBehind ? first : unedited)
  return (
    <Form
      class="day-range"
      aria-label="Whole days"
      onSubmit={(form) => {
        navigate(timesOfDays(first, last, zone))
        closeMenu(form)
      }}
    >
      <Field {...DAY} id="range-first" label="First day" value={first} onText={(day) => setEdited({ ...edited, first: day })} />
      <Field {...DAY} id="range-last" label="Last day" value={last} onText={(day) => setEdited({ ...edited, last: day })} />
      <button type="submit">Show days</button>
    </Form>
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

const LATEST: readonly NamedTimes[] = [
  { name: 'Last 15 minutes', startTime: 'now-15m', endTime: 'now' },
  { name: 'Last hour', startTime: 'now-1h', endTime: 'now' },
  { name: 'Last 3 hours', startTime: 'now-3h', endTime: 'now' },
  { name: 'Last 12 hours', startTime: 'now-12h', endTime: 'now' },
  { name: 'Last 24 hours', startTime: 'now-1d', endTime: 'now' },
  { name: 'Last 7 days', startTime: 'now-7d', endTime: 'now' },
  { name: 'Last 30 days', startTime: 'now-30d', endTime: 'now' },
]

interface RangeMenuProps {
  range: Range | undefined
  /** The time at which the menu was opened. */
  openedMs: number
}

export function RangeMenu({ range, openedMs }: RangeMenuProps) {
  const { zone } = view.value
  const zones = listZones().map((name) => [name, name.replaceAll('_', ' ')] as const)
  return (
    <div class="card wide range-menu">
      <Names label="Up to now" list={LATEST} />
      <Names label="Calendar" list={listCalendarTimes(openedMs, zone)} />
      <div class="range-forms">
        <p class="zone-choice">
          <label for="zone">Times in</label>{' '}
          <Select
            id="zone"
            value={zone}
            options={[['', `${zoneName('')}, as this browser`], ...zones]}
            onPick={(to) => navigate({ zone: to }, true)}
          />
        </p>
        <DayRange range={range} />
        <TypedRange />
      </div>
      <div class="range-rest">
        <CopyLinks range={range} />
      </div>
    </div>
  )
}

function Names({ label, list }: { label: string; list: readonly NamedTimes[] }) {
  const { startTime, endTime } = view.value
  return (
    <fieldset class="range-names">
      <legend class="visually-hidden">{label}</legend>
      {list.map(({ name, ...times }) => (
        <MenuButton
          key={name}
          aria-pressed={startTime === times.startTime && endTime === times.endTime}
          onClick={() => navigate(times)}
        >
          {name}
        </MenuButton>
      ))}
    </fieldset>
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
