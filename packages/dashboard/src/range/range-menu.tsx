/** The menu of ranges: recent minutes to days, weeks and months, typed times, and how often all is refreshed. */
import { useEffect, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { formatRange, type Range, resolveRange, scaleRange, TIME_FORMS, type Times } from '../address/range.ts'
import { listCalendarTimes, listZones, type NamedTimes, withoutZone, withZone, zoneName } from '../address/zone.ts'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { closeMenu, MenuButton } from '../parts/menu.tsx'
import { Select } from '../parts/select.tsx'
import { Checks } from '../parts/toggle.tsx'
import { describeError } from '../service/request.ts'
import { INTERVALS } from './refresh.ts'

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

/** What is refreshed, and how wide the range is. */
function RangeRest({ range, onRefresh }: Pick<RangeMenuProps, 'range' | 'onRefresh'>) {
  const zoom = (factor: number) => range && navigate(formatRange(scaleRange(range, factor)))
  return (
    <div class="stack range-rest">
      <div class="row">
        <button type="button" onClick={onRefresh}>
          Refresh
        </button>
        <button type="button" onClick={() => zoom(2)}>
          Zoom out
        </button>
        <button type="button" onClick={() => zoom(0.5)}>
          Zoom in
        </button>
      </div>
      <Checks
        class="row"
        legend="Refresh every"
        oneOf="refresh"
        options={INTERVALS.map(([every, words]) => [every, words] as const)}
        chosen={[view.value.refresh]}
        onPick={(every) => navigate({ refresh: every }, true)}
      />
    </div>
  )
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
  onRefresh: () => void
}

export function RangeMenu({ range, openedMs, onRefresh }: RangeMenuProps) {
  const { zone } = view.value
  const zones = listZones().map((name) => [name, name.replaceAll('_', ' ')] as const)
  return (
    <div class="card wide range-menu">
      <Names label="Up to now" list={LATEST} />
      <Names label="Calendar" list={listCalendarTimes(openedMs, zone)} />
      <div class="stack range-forms">
        <p class="zone-choice">
          <label for="zone">Times in</label>{' '}
          <Select
            id="zone"
            value={zone}
            options={[['', `${zoneName('')}, as this browser`], ...zones]}
            onPick={(to) => navigate({ zone: to }, true)}
          />
        </p>
        <TypedRange />
      </div>
      <RangeRest range={range} onRefresh={onRefresh} />
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
