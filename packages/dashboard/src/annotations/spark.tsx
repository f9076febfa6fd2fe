/** A small chart of what a series was before an annotation and after it, on one scale from zero. */

interface SparkProps {
  before: readonly (number | null)[]
  after: readonly (number | null)[]
}

const WIDTH = 220
const HEIGHT = 36
/** Between the two sides. */
const GAP = 6

export function Spark({ before, after }: SparkProps) {
  const all = [...before, ...after].filter((value) => value !== null)
  if (before.length < 2 || all.length === 0) return null
  const high = Math.max(...all, 0) || 1
  const low = Math.min(...all, 0)
  const step = (WIDTH - GAP) / (before.length + after.length)
  const y = (value: number) => HEIGHT - 2 - ((value - low) / (high - low)) * (HEIGHT - 4)
  const middle = before.length * step
  return (
    <svg
      class="spark"
      preserveAspectRatio="none"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label="Before and after, as a chart"
    >
      <path class="spark-before" d={pathOf(before, 0, step, y)} />
      <line x1={middle + GAP / 2} x2={middle + GAP / 2} y1="0" y2={HEIGHT} />
      <path class="spark-after" d={pathOf(after, middle + GAP, step, y)} />
    </svg>
  )
}

/** Steps, because a bucket has one value; a bucket without one is a gap. */
function pathOf(values: readonly (number | null)[], from: number, step: number, y: (value: number) => number): string {
  let isOpen = false
  return values
    .map((value, at) => {
      if (value === null) {
        isOpen = false
        return ''
      }
      const [left, right, height] = [from + at * step, from + (at + 1) * step, y(value)].map((px) => px.toFixed(1))
      const start = isOpen ? `V${height}` : `M${left} ${height}`
      isOpen = true
      return `${start}H${right}`
    })
    .join('')
}
