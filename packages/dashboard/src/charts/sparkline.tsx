/** A line as small as a word. What it shows is said by the figure beside it. */

const [WIDTH, HEIGHT] = [88, 20]

/** @param points a value at some of the places, with a straight line to the next */
export function Sparkline({ points }: { points: readonly (number | undefined)[] }) {
  const drawn = points.flatMap((value, at) => (value === undefined ? [] : [[at, value] as const]))
  const values = drawn.map(([, value]) => value)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  // What stays at its level is drawn in the middle.
  const high = Math.max(...values, 2 * mean) || 1
  const path = drawn.map(([at, value]) => {
    const x = (at / (points.length - 1)) * WIDTH
    return `${x.toFixed(1)} ${(HEIGHT - 1 - (value / high) * (HEIGHT - 2)).toFixed(1)}`
  })
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {path.length > 1 && <path d={`M${path.join('L')}`} />}
    </svg>
  )
}
