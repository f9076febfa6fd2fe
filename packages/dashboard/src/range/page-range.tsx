/** The range of the page, the buttons that move and widen it, and its refresh. */
import './range.css'
import { useState } from 'preact/hooks'
import { formatTimes } from '../address/format-time.ts'
import { navigate, view } from '../address/navigation.ts'
import { formatRange, type Range, scaleRange, shiftRange } from '../address/range.ts'
import { zoneName } from '../address/zone.ts'
import { Menu } from '../parts/menu.tsx'
import { Select } from '../parts/select.tsx'
import { nameRange, RangeMenu, type RangeMenuProps } from './range-menu.tsx'
import { INTERVALS } from './refresh.ts'

function RangePicker({ onRefresh, every, onEvery, ...props }: Omit<RangeMenuProps, 'openedMs'> & RefreshButtonProps) {
  const { startTime, endTime, range, zone, onChange } = props
  const name = nameRange(startTime, endTime, zone)
  // After midnight today is another day.
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
            <span class="visually-hidden">Range: </span>
            <strong>{name ?? (range ? describeRange(range, zone) : '?')}</strong> <span class="zone">{zoneName(zone)}</span>
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

/** Fractions of a second are shown only in a range of seconds. */
function describeRange({ startMs, endMs }: Range, zone: string): string {
  const unitMs = endMs - startMs < 10_000 ? 1 : 1_000
  const times = formatTimes(Math.round(startMs / unitMs) * unitMs, Math.round(endMs / unitMs) * unitMs, zone)
  // The zone is shown after both times.
  return times.replace(/ (?:GMT\S*|[A-Z]{2,5})(?= –|$)/g, '')
}

interface RefreshButtonProps {
  onRefresh: () => void
  /** The interval of the refresh, as in the address. */
  every: string
  onEvery: (every: string) => void
}

function RefreshButton({ onRefresh, every, onEvery }: RefreshButtonProps) {
  return (
    <span class="refresh">
      <button type="button" aria-label="Refresh" title="Refresh" onClick={onRefresh}>
        ⟳
      </button>
      <Select name="Refresh every" value={every} options={INTERVALS} onPick={onEvery} />
    </span>
  )
}

export function PageRange({ range, onRefresh }: { range: Range | undefined; onRefresh: () => void }) {
  const { startTime, endTime, zone, refresh } = view.value
  return (
    <RangePicker
      startTime={startTime}
      endTime={endTime}
      range={range}
      zone={zone}
      onChange={(times) => navigate(times)}
      onZone={(to) => navigate({ zone: to }, true)}
      onRefresh={onRefresh}
      every={refresh}
      onEvery={(every) => navigate({ refresh: every }, true)}
    />
  )
}
