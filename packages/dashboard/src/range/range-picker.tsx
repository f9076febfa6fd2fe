/** Picks the range of time: any one in a menu, earlier and later, wider and narrower; and refreshes it. */
import './range.css'
import { useState } from 'preact/hooks'
import { formatTimes } from '../address/format-time.ts'
import { formatRange, type Range, scaleRange, shiftRange } from '../address/range.ts'
import { zoneName } from '../address/zone.ts'
import { Menu } from '../parts/menu.tsx'
import { nameRange, RangeMenu, type RangeMenuProps } from './range-menu.tsx'
import { RefreshButton, type RefreshButtonProps } from './refresh-button.tsx'

export function RangePicker({ onRefresh, every, onEvery, ...props }: Omit<RangeMenuProps, 'openedMs'> & RefreshButtonProps) {
  const { startTime, endTime, range, utc, onChange } = props
  const name = nameRange(startTime, endTime, utc)
  // Today is another day after midnight.
  const [openedMs, setOpenedMs] = useState(Date.now)
  const move = (change: (range: Range) => Range) => range && onChange(formatRange(change(range)))
  return (
    <div class="row range">
      <button type="button" aria-label="Earlier" disabled={!range} onClick={() => move((from) => shiftRange(from, -0.5))}>
        ‹
      </button>
      <Menu
        onOpen={() => setOpenedMs(Date.now())}
        summary={
          <>
            <span class="range-word">Range: </span>
            <strong>{name ?? (range ? describeRange(range, utc) : '?')}</strong> <span class="zone">{zoneName(utc)}</span>
          </>
        }
      >
        <RangeMenu {...props} openedMs={openedMs} />
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
