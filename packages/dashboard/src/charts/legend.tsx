/** The legend of a chart: the colors of its series, and which of them are shown. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { isRelease } from '../annotations/verdict.ts'
import type { Frame } from '../chart/frame.ts'
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
    (one) => one.hurtsNow === true,
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

export function Legend({ frame: { series, leftOut }, hidden, onChange }: LegendProps) {
  const labels = series.map(({ label }) => label)
  return (
    <ul class="legend">
      {series.map(({ label, color, isDashed }) => (
        <li key={label}>
          <button
            type="button"
            class="quiet legend-entry"
            aria-pressed={!hidden.has(label)}
            title="Click to hide or show; Shift-click or double-click to show it alone"
            onClick={(event) =>
              onChange(event.shiftKey || event.detail === 2 ? solo(labels, label, hidden) : flip(hidden, label))
            }
          >
            <span class={isDashed ? 'swatch is-earlier' : 'swatch'} style={{ background: color }} /> {label}
          </button>
        </li>
      ))}
      {leftOut > 0 && <li class="hint">and {leftOut} smaller ones that are not drawn</li>}
    </ul>
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
