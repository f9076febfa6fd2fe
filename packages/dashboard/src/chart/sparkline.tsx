/** Lines as small as a word. What they show is said by the figure beside them. */
import './sparkline.css'

const [WIDTH, HEIGHT] = [88, 20]

/** A value at some of the places, with a straight line to the next. */
type Line = readonly (number | undefined)[]

/** @param before the same of the time before, on the same scale */
export function Sparkline({ points, before = [] }: { points: Line; before?: Line }) {
  const values = [...before, ...points].filter((value) => value !== undefined)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  // What stays at its level is drawn in the middle.
  const high = Math.max(...values, 2 * mean) || 1
  const drawn = { before, now: points }
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {Object.entries(drawn).map(([when, line]) => (
        <path key={when} class={when} d={pathOf(line, high)} />
      ))}
    </svg>
  )
}

function pathOf(line: Line, high: number): string | undefined {
  const places = line.flatMap((value, at) => {
    const x = (at / (line.length - 1)) * WIDTH
    return value === undefined ? [] : `${x.toFixed(1)} ${(HEIGHT - 1 - (value / high) * (HEIGHT - 2)).toFixed(1)}`
  })
  return places.length > 1 ? `M${places.join('L')}` : undefined
}
