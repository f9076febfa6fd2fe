/** Picks the range of time: a usual one, any other, earlier and later, wider and narrower; and refreshes it. */
import { closeMenu, Menu } from '../parts/menu.tsx'
import { formatTimes } from '../view/format-time.ts'
import { formatRange, type Range, scaleRange, shiftRange, type Times } from '../view/range.ts'
import { startOfDay, zoneName } from '../view/zone.ts'
import { RefreshButton, type RefreshButtonProps } from './refresh-button.tsx'
import { TypedRange } from './typed-range.tsx'

interface RangePickerProps extends Times, RefreshButtonProps {
  range: Range | undefined
  utc: boolean
  onChange: (times: Times) => void
  onUtc: (utc: boolean) => void
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

export function RangePicker({ startTime, endTime, range, utc, onChange, onUtc, onRefresh, every, onEvery }: RangePickerProps) {
  const relative = describeRelative(startTime, endTime)
  const move = (change: (range: Range) => Range) => range && onChange(formatRange(change(range)))
  return (
    <div class="row range">
      <button type="button" aria-label="Earlier" disabled={!range} onClick={() => move((from) => shiftRange(from, -0.5))}>
        ‹
      </button>
      <Menu
        summary={
          <>
            <span class="range-word">Range: </span>
            <strong>{relative ?? (range ? describeRange(range, utc) : '?')}</strong> <span class="zone">{zoneName(utc)}</span>
          </>
        }
      >
        <div class="card range-menu">
          {PRESETS.map(([start, name]) => (
            <button
              key={start}
              type="button"
              class="quiet"
              aria-pressed={endTime === 'now' && start === startTime}
              onClick={(event) => {
                onChange({ startTime: start, endTime: 'now' })
                closeMenu(event.currentTarget)
              }}
            >
              {name}
            </button>
          ))}
          <Days utc={utc} onChange={onChange} />
          <TypedRange startTime={startTime} endTime={endTime} utc={utc} onChange={onChange} />
          <label class="toggle">
            <input type="checkbox" checked={utc} onChange={() => onUtc(!utc)} /> Times in UTC, not in {zoneName(false)}
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
      <RefreshButton every={every} onEvery={onEvery} onRefresh={onRefresh} />
    </div>
  )
}

/** Fractions of a second say something in a range of seconds only. */
function describeRange({ startMs, endMs }: Range, utc: boolean): string {
  const unitMs = endMs - startMs < 10_000 ? 1 : 1_000
  const times = formatTimes(Math.round(startMs / unitMs) * unitMs, Math.round(endMs / unitMs) * unitMs, utc)
  // The zone stands behind them.
  return times.replaceAll(' UTC', '')
}

const UNITS: Readonly<Record<string, string>> = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days', w: 'weeks' }

/** @returns `undefined` of a range that stands still, or is more than the last so many minutes */
function describeRelative(startTime: string, endTime: string): string | undefined {
  if (endTime !== 'now') return undefined
  const [, count = '', unit = ''] = /^now-(\d+)([smhdw])$/.exec(startTime) ?? []
  const preset = PRESETS.find(([start]) => start === startTime)
  return preset?.[1] ?? (unit ? `Last ${count} ${UNITS[unit]}` : undefined)
}

function Days({ utc, onChange }: { utc: boolean; onChange: (times: Times) => void }) {
  const day = (days: number) => startOfDay(Date.now(), days, utc)
  const choose = (times: Times) => (event: { currentTarget: Element }) => {
    onChange(times)
    closeMenu(event.currentTarget)
  }
  return (
    <>
      <button type="button" class="quiet" onClick={(event) => choose({ startTime: day(0), endTime: 'now' })(event)}>
        Today
      </button>
      <button type="button" class="quiet" onClick={(event) => choose({ startTime: day(-1), endTime: day(0) })(event)}>
        Yesterday
      </button>
    </>
  )
}
