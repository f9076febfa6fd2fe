/** Picks the range of time: a usual one, any other typed in, earlier and later, wider and narrower; and refreshes it. */
import { useEffect, useState } from 'preact/hooks'
import { closeMenu, Menu } from '../parts/menu.tsx'
import { formatTimes } from '../view/format-time.ts'
import { formatRange, type Range, resolveRange, scaleRange, shiftRange, TIME_FORMS } from '../view/range.ts'

interface Times {
  startTime: string
  endTime: string
}

interface RangePickerProps extends Times {
  range: Range | undefined
  utc: boolean
  onChange: (times: Times) => void
  onUtc: (utc: boolean) => void
  onRefresh: () => void
}

const PRESETS = [
  ['now-15m', 'Last 15 minutes'],
  ['now-1h', 'Last hour'],
  ['now-3h', 'Last 3 hours'],
  ['now-12h', 'Last 12 hours'],
  ['now-1d', 'Last day'],
  ['now-7d', 'Last 7 days'],
  ['now-30d', 'Last 30 days'],
] as const

export function RangePicker({ startTime, endTime, range, utc, onChange, onUtc, onRefresh }: RangePickerProps) {
  const preset = endTime === 'now' && PRESETS.find(([start]) => start === startTime)
  const move = (change: (range: Range) => Range) => range && onChange(formatRange(change(range)))
  return (
    <div class="row range">
      <button type="button" aria-label="Earlier" disabled={!range} onClick={() => move((from) => shiftRange(from, -0.5))}>
        ‹
      </button>
      <Menu
        summary={
          <>
            Range: <strong>{preset ? preset[1] : range ? describeRange(range, utc) : '?'}</strong>
          </>
        }
      >
        <div class="card range-menu">
          {PRESETS.map(([start, name]) => (
            <button
              key={start}
              type="button"
              class="quiet"
              aria-pressed={preset ? preset[0] === start : false}
              onClick={(event) => {
                onChange({ startTime: start, endTime: 'now' })
                closeMenu(event.currentTarget)
              }}
            >
              {name}
            </button>
          ))}
          <TypedRange startTime={startTime} endTime={endTime} onChange={onChange} />
          <label class="toggle">
            <input type="checkbox" checked={utc} onChange={() => onUtc(!utc)} /> Times in UTC
          </label>
        </div>
      </Menu>
      <button type="button" aria-label="Later" disabled={!range} onClick={() => move((from) => shiftRange(from, 0.5))}>
        ›
      </button>
      <button type="button" aria-label="Zoom out" disabled={!range} onClick={() => move((from) => scaleRange(from, 2))}>
        −
      </button>
      <button type="button" aria-label="Zoom in" disabled={!range} onClick={() => move((from) => scaleRange(from, 0.5))}>
        +
      </button>
      <button type="button" onClick={onRefresh}>
        Refresh
      </button>
    </div>
  )
}

/** Fractions of a second say something in a range of seconds only. */
function describeRange({ startMs, endMs }: Range, utc: boolean): string {
  const unitMs = endMs - startMs < 10_000 ? 1 : 1_000
  return formatTimes(Math.round(startMs / unitMs) * unitMs, Math.round(endMs / unitMs) * unitMs, utc)
}

function TypedRange({ startTime, endTime, onChange }: Times & { onChange: (times: Times) => void }) {
  const [texts, setTexts] = useState({ startTime, endTime })
  const [error, setError] = useState('')
  useEffect(() => {
    setTexts({ startTime, endTime })
    setError('')
  }, [startTime, endTime])
  return (
    <form
      class="typed-range"
      onSubmit={(event) => {
        event.preventDefault()
        try {
          resolveRange(texts.startTime, texts.endTime, Date.now())
          setError('')
          onChange(texts)
          closeMenu(event.currentTarget)
        } catch (failure) {
          setError(failure instanceof RangeError ? failure.message : String(failure))
        }
      }}
    >
      <label for="range-start">From</label>
      <input
        id="range-start"
        value={texts.startTime}
        onInput={(event) => setTexts({ ...texts, startTime: event.currentTarget.value })}
      />
      <label for="range-end">To</label>
      <input
        id="range-end"
        value={texts.endTime}
        onInput={(event) => setTexts({ ...texts, endTime: event.currentTarget.value })}
      />
      <p class={error ? 'failure' : 'hint'} role={error ? 'alert' : undefined}>
        {error || TIME_FORMS}
      </p>
      <button type="submit">Show</button>
    </form>
  )
}
