/** The row of marks that a query found. It takes one Tab stop, and arrow keys move in it; titles appear on hover and focus. */
import { useState } from 'preact/hooks'
import { formatTime } from '../address/format-time.ts'
import './found-marks.css'
import type { FoundGroup } from './found.ts'

interface FoundMarksProps {
  label: string
  groups: readonly FoundGroup[]
  /** The left edge of the plot, in pixels. */
  left: number
  zone: string
  /** Called with the time of a clicked mark, in milliseconds since the epoch. */
  onLook: (ms: number) => void
}

const TITLES_MAX = 6

export function FoundMarks({ label, groups, left, zone, onLook }: FoundMarksProps) {
  const [tipAt, setTipAt] = useState<number | undefined>()
  const [stop, setStop] = useState(0)
  const stopAt = Math.min(stop, groups.length - 1)
  const tip = tipAt === undefined ? undefined : groups[tipAt]
  const move = (event: KeyboardEvent & { currentTarget: HTMLElement }, from: number) => {
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: groups.length - 1 }[event.key]
    if (to === undefined || to < 0 || to >= groups.length) return
    event.preventDefault()
    event.currentTarget.parentElement?.querySelectorAll('button')[to]?.focus()
  }
  return (
    <div class="found-marks" role="toolbar" aria-label={`Annotations from the query on ${label}`}>
      {groups.map((group, at) => (
        <button
          key={group.found[0]?.ms}
          type="button"
          class="found"
          style={{ left: `${left + group.x}px` }}
          tabIndex={at === stopAt ? 0 : -1}
          aria-label={nameOf(group, zone)}
          onClick={() => onLook(group.found[0]?.ms ?? 0)}
          onKeyDown={(event) => (event.key === 'Escape' ? setTipAt(undefined) : move(event, at))}
          onMouseEnter={() => setTipAt(at)}
          onMouseLeave={() => setTipAt(undefined)}
          onFocus={({ currentTarget }) => {
            setStop(at)
            if (currentTarget.matches(':focus-visible')) setTipAt(at)
          }}
          onBlur={() => setTipAt(undefined)}
        >
          {group.found.length > 1 ? countOf(group) : '◆'}
        </button>
      ))}
      {tip && <Tip group={tip} left={left} zone={zone} />}
    </div>
  )
}

function countOf({ found }: FoundGroup): string {
  return found.length > 99 ? '99+' : String(found.length)
}

function nameOf({ found }: FoundGroup, zone: string): string {
  const [first] = found
  if (!first) return ''
  if (found.length === 1) return `${first.title}, ${formatTime(first.ms, zone)}`
  const titles = found.slice(0, TITLES_MAX).map(({ title }) => title)
  return `${found.length} annotations from ${formatTime(first.ms, zone)}: ${titles.join(', ')}`
}

function Tip({ group: { found, x, isRight }, left, zone }: { group: FoundGroup; left: number; zone: string }) {
  const more = found.length - TITLES_MAX
  const at = left + x
  return (
    <div
      class={isRight ? 'mark-tip is-right' : 'mark-tip'}
      role="tooltip"
      style={{ left: `${at}px`, maxWidth: `min(22rem, ${isRight ? `${at}px` : `calc(100% - ${at}px)`})` }}
    >
      {found.slice(0, TITLES_MAX).map(({ ms, title }, n) => (
        // Several rows may have the same time and title.
        <div key={n}>
          <strong>{title}</strong>
          <div class="hint">{formatTime(ms, zone)}</div>
        </div>
      ))}
      {more > 0 && <div class="hint">and {more} more</div>}
    </div>
  )
}
