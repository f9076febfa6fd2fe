/** The legend of a chart: the colors and statistics of its series, and which of them are shown. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { formatInUnit, type Unit } from '../address/unit.ts'
import { isRelease, toneOf } from '../annotations/verdict.ts'
import { type Figures, figuresOf } from '../chart/figures.ts'
import { type Frame, lineColor, type Series } from '../chart/frame.ts'
import { TableHead } from '../parts/table-head.tsx'

/** The number of datasets that are charted if the view names none. */
const DATASETS_SHOWN = 4

/** @returns the datasets with events first, then those that only annotations name, so that these can be found */
export function listNames(stored: readonly string[], annotations: readonly Annotation[]): string[] {
  const marked = [...new Set(annotations.flatMap(({ datasets }) => datasets))].sort()
  return [...new Set([...stored, ...marked])]
}

/**
 * @param picks the datasets that were picked before; they stay first
 * @returns the first few datasets: those that a release hurt, those on which something goes on, those that were released, those with
 * other annotations, and the others
 */
export function pickFirst(names: readonly string[], annotations: readonly Annotation[], picks: readonly string[]): string[] {
  const ranks: readonly ((one: Annotation) => boolean)[] = [
    (one) => toneOf(one) === 'bad',
    (one) => one.open === true,
    isRelease,
    () => true,
  ]
  const named = ranks.map((is) => new Set(annotations.filter(is).flatMap(({ datasets }) => datasets)))
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
      {frame.leftOut > 0 && <li class="hint">{leftOutText(frame)}</li>}
    </ul>
  )
}

const COLUMNS: readonly [keyof Figures, string][] = [
  ['last', 'last'],
  ['min', 'lowest'],
  ['max', 'highest'],
  ['mean', 'mean'],
  ['total', 'total'],
]

/** @param hasTotals whether the values of all intervals may be added */
export function FiguresLegend({ hasTotals, unit, ...props }: LegendProps & { hasTotals: boolean; unit: Unit }) {
  const { panes } = props.frame
  const columns = COLUMNS.filter(([figure]) => figure !== 'total' || (hasTotals && !panes))
  return (
    <div class="legend legend-figures">
      <table>
        <TableHead names={['series', ...columns.map(([, name]) => name)]} />
        <tbody>
          {props.frame.series.map((one, at) => {
            const figures = figuresOf(one)
            return (
              <tr key={one.label}>
                <td>
                  <Entry {...props} at={at} one={one} />
                </td>
                {columns.map(([figure]) => (
                  <td key={figure} class="number">
                    {figures ? formatInUnit(figures[figure], panes?.[one.pane ?? 0]?.unit ?? unit) : '–'}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
      {props.frame.leftOut > 0 && <p class="hint">{leftOutText(props.frame)}</p>}
    </div>
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

function leftOutText({ leftOut }: Frame): string {
  return `and ${leftOut} smaller ones that are not drawn`
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
