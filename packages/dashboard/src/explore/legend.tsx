/** The series of a chart and their colours: a click hides one, a double click or Shift shows it alone. */
import type { Frame } from '../chart/frame.ts'
import { seriesColour } from '../view/colours.ts'

interface LegendProps {
  frame: Frame
  hidden: ReadonlySet<string>
  onChange: (hidden: ReadonlySet<string>) => void
}

export function Legend({ frame, hidden, onChange }: LegendProps) {
  const labels = frame.series.map(({ label }) => label)
  return (
    <ul class="legend">
      {frame.series.map(({ label, earlierOf }, at) => (
        <li key={label}>
          <button
            type="button"
            class="quiet"
            aria-pressed={!hidden.has(label)}
            title="Click to hide or show; Shift-click or double-click to show it alone"
            onClick={(event) =>
              onChange(event.shiftKey || event.detail === 2 ? solo(labels, label, hidden) : flip(hidden, label))
            }
          >
            <span
              class={earlierOf === undefined ? 'swatch' : 'swatch is-earlier'}
              style={{ background: seriesColour(earlierOf ?? at) }}
            />{' '}
            {label}
          </button>
        </li>
      ))}
      {frame.leftOut > 0 && <li class="hint">and {frame.leftOut} smaller ones that are not drawn</li>}
    </ul>
  )
}

function flip(hidden: ReadonlySet<string>, label: string): ReadonlySet<string> {
  const after = new Set(hidden)
  if (!after.delete(label)) after.add(label)
  return after
}

/** Of the one that is alone already, all come back. */
function solo(labels: readonly string[], label: string, hidden: ReadonlySet<string>): ReadonlySet<string> {
  const others = labels.filter((other) => other !== label)
  return others.every((other) => hidden.has(other)) && !hidden.has(label) ? new Set() : new Set(others)
}
