/** The legend of a chart: the colors of its series, and which of them are shown. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { isRelease, toneOf } from '../annotations/verdict.ts'
import { type Frame, lineColor, type Series } from '../chart/frame.ts'
import { compareNames } from '../query/name.ts'
import { lastRelease } from './harm.ts'

/** The number of datasets that are shown if the view names none. */
const DATASETS_SHOWN = 12

/** @returns the datasets with events first, then those that only annotations name, so that these can be found */
export function listNames(stored: readonly string[], annotations: readonly Annotation[]): string[] {
  const marked = annotations.flatMap(({ datasets }) => datasets)
  return [...new Set([stored, marked].flatMap((names) => names.toSorted(compareNames)))]
}

/**
 * @param picks the datasets that were picked before; they stay first
 * @returns the first few datasets: those that a release hurts, that of the last release, those on which something goes on, those that
 * were released, those with other annotations, and the others; what was left open counts for nothing
 */
export function pickFirst(names: readonly string[], annotations: readonly Annotation[], picks: readonly string[]): string[] {
  const last = lastRelease(annotations)
  const ranks: readonly ((one: Annotation) => boolean)[] = [
    (one) => toneOf(one) === 'bad',
    (one) => one === last,
    (one) => one.open === true,
    isRelease,
    () => true,
  ]
  const kept = annotations.filter(({ isStale }) => !isStale)
  const named = ranks.map((is) => new Set(kept.filter(is).flatMap(({ datasets }) => datasets)))
  const rankOf = (name: string) => {
    const rank = named.findIndex((of) => of.has(name))
    return rank === -1 ? ranks.length : rank
  }
  const ordered = names.toSorted((one, other) => rankOf(one) - rankOf(other))
  return [...new Set([...picks, ...ordered])].slice(0, DATASETS_SHOWN)
}

interface LegendProps {
  frame: Frame
  hidden: ReadonlySet<string>
  onChange: (hidden: ReadonlySet<string>) => void
}

export function Legend({ frame, hidden, onChange }: LegendProps) {
  return (
    <ul class="legend">
      {frame.series.map((one, at) => (
        <li key={one.label}>
          <Entry frame={frame} at={at} one={one} hidden={hidden} onChange={onChange} />
        </li>
      ))}
      {frame.leftOut > 0 && <li class="hint">and {frame.leftOut} smaller ones that are not drawn</li>}
    </ul>
  )
}

function Entry({ frame, at, one, hidden, onChange }: LegendProps & { at: number; one: Series }) {
  const { label, earlierOf } = one
  const labels = frame.series.map((other) => other.label)
  return (
    <button
      type="button"
      class="quiet legend-entry"
      aria-pressed={!hidden.has(label)}
      title="Click to hide or show; Shift-click or double-click to show it alone"
      onClick={(event) => onChange(event.shiftKey || event.detail === 2 ? solo(labels, label, hidden) : flip(hidden, label))}
    >
      <span class={earlierOf === undefined ? 'swatch' : 'swatch is-earlier'} style={{ background: lineColor(one, at) }} /> {label}
    </button>
  )
}

function flip(hidden: ReadonlySet<string>, label: string): ReadonlySet<string> {
  const after = new Set(hidden)
  if (!after.delete(label)) after.add(label)
  return after
}

/** If the series is already the only one shown, all are shown again. */
function solo(labels: readonly string[], label: string, hidden: ReadonlySet<string>): ReadonlySet<string> {
  const others = labels.filter((other) => other !== label)
  return others.every((other) => hidden.has(other)) && !hidden.has(label) ? new Set() : new Set(others)
}
