/** The range of the page with its menu between the buttons that move it. */
import './range.css'
import { formatTimes } from '../address/format-time.ts'
import { navigate, view } from '../address/navigation.ts'
import { formatRange, type Range, shiftRange } from '../address/range.ts'
import { zoneName } from '../address/zone.ts'
import { Menu } from '../parts/menu.tsx'
import { SignButton } from '../parts/sign-button.tsx'
import { nameRange, RangeMenu } from './range-menu.tsx'

interface PageRangeProps {
  /** Absent if the times of the view are wrong. */
  range: Range | undefined
  onRefresh: () => void
}

export function PageRange({ range, onRefresh }: PageRangeProps) {
  const { startTime, endTime, zone, live, refresh } = view.value
  const name = nameRange(startTime, endTime)
  const mover = (label: string, sign: string, change: (from: Range) => Range) => (
    <SignButton class="" label={label} isOff={!range} onClick={() => range && navigate(formatRange(change(range)))}>
      {sign}
    </SignButton>
  )
  return (
    <div class="range">
      {mover('Earlier', '‹', (from) => shiftRange(from, -0.5))}
      <Menu
        summary={
          <>
            <span class="visually-hidden">Range: </span>
            <span class="one-line">{name ?? (range ? describeRange(range, zone) : '?')}</span>{' '}
            <span class="zone one-line">
              {zoneName(zone)}
              {(live || refresh !== '') && ', live'}
            </span>
          </>
        }
      >
        <RangeMenu range={range} onRefresh={onRefresh} />
      </Menu>
      {mover('Later', '›', (from) => shiftRange(from, 0.5))}
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
