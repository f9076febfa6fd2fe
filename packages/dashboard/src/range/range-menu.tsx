/** The menu of ranges: the latest minutes to days, typed times, and how often all is refreshed. */
import { useState } from 'preact/hooks'
import { describeDuration } from '../address/format-time.ts'
import { navigate, view } from '../address/navigation.ts'
import { formatRange, type Range, scaleRange, TIME_FORMS, type Times, tryRange } from '../address/range.ts'
import { listZones, withoutZone, withZone, zoneName } from '../address/zone.ts'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { closeMenu, MenuButton } from '../parts/menu.tsx'
import { Select } from '../parts/select.tsx'
import { Checks } from '../parts/toggle.tsx'
import { INTERVALS, intervalMs } from './refresh.ts'

function TypedRange() {
  const { startTime, endTime, zone } = view.value
  const shown = { startTime: withoutZone(startTime, zone), endTime: withoutZone(endTime, zone) }
  const [texts, setTexts] = useState(shown)
  const [error, setError] = useState<unknown>()
  // A text that was not edited keeps its value: the hour after the clocks are set back has the same texts as the one before.
  const read = (name: keyof Times) => (texts[name] === shown[name] ? view.value[name] : withZone(texts[name], zone))
  const show = (form: Element) => {
    const times = { startTime: read('startTime'), endTime: read('endTime') }
    const { rangeError } = tryRange(times.startTime, times.endTime)
    setError(rangeError)
    if (rangeError) return
    navigate(times)
    closeMenu(form)
  }
  return (
    <Form class="typed-range" onSubmit={show}>
      <Field id="range-start" label="From" value={texts.startTime} onText={(startTime) => setTexts({ ...texts, startTime })} />
      <Field id="range-end" label="To" value={texts.endTime} onText={(endTime) => setTexts({ ...texts, endTime })} />
      {error ? <Failure error={error} /> : <p class="hint">{TIME_FORMS}</p>}
      <button type="submit" class="primary">
        Show
      </button>
    </Form>
  )
}

/** What is refreshed, and how wide the range is. */
function RangeRest({ range, onRefresh }: RangeMenuProps) {
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
        options={[['', 'off'], ...INTERVALS.map((every) => [every, describeDuration(intervalMs(every) ?? 0)] as const)]}
        chosen={[view.value.refresh]}
        onPick={(every) => navigate({ refresh: every }, true)}
      />
    </div>
  )
}

const LATEST = ['15m', '1h', '3h', '12h', '24h', '7d', '30d'].map((length) => `now-${length}`)

interface RangeMenuProps {
  range: Range | undefined
  onRefresh: () => void
}

export function RangeMenu({ range, onRefresh }: RangeMenuProps) {
  const { startTime, endTime, zone } = view.value
  const zones = listZones().map((name) => [name, name.replaceAll('_', ' ')] as const)
  return (
    <div class="card wide range-menu">
      <fieldset class="range-names">
        <legend class="visually-hidden">Up to now</legend>
        {LATEST.map((start) => (
          <MenuButton
            key={start}
            aria-pressed={startTime === start && endTime === 'now'}
            onClick={() => navigate({ startTime: start, endTime: 'now' })}
          >
            {nameRange(start)}
          </MenuButton>
        ))}
      </fieldset>
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
        <TypedRange key={`${startTime} ${endTime} ${zone}`} />
      </div>
      <RangeRest range={range} onRefresh={onRefresh} />
    </div>
  )
}

const UNITS: Readonly<Record<string, string>> = { s: 'second', m: 'minute', h: 'hour', d: 'day', w: 'week' }

/** @returns such as `Last 3 hours`; `undefined` if the range has no name */
export function nameRange(startTime: string, endTime = 'now'): string | undefined {
  const [, count = '', unit = ''] = /^now-(\d+)([smhdw])$/.exec(startTime) ?? []
  if (unit === '' || endTime !== 'now') return undefined
  return count === '1' ? `Last ${UNITS[unit]}` : `Last ${count} ${UNITS[unit]}s`
}
