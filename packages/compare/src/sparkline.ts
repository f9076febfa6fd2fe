/**
 * A small chart of characters: before, a line for the event, after. It works in a job summary, a terminal and a log, unlike an image: a
 * summary drops inline SVG, and a Mermaid diagram needs a frame and works nowhere else.
 */
import type { Sides } from './series.ts'

const BLOCKS = '▁▂▃▄▅▆▇█'
const EMPTY = '·'
const CELLS_MAX = 24

/** @returns the chart on a scale from 0, with the same number of buckets per character on both sides; '' for one bucket */
export function drawSparkline({ before, after }: Sides<number | null>): string {
  if (before.length < 2) return ''
  const each = Math.max(1, Math.ceil(before.length / CELLS_MAX))
  const sides = [before, after].map((values) => chunk(values, each))
  const present = sides.flat().filter((value) => value !== null)
  const low = Math.min(0, ...present)
  const height = Math.max(0, ...present) - low
  const cell = (value: number | null) => {
    if (value === null) return EMPTY
    const level = height === 0 ? 0 : Math.round(((value - low) / height) * (BLOCKS.length - 1))
    return BLOCKS[level] ?? EMPTY
  }
  return sides.map((values) => values.map(cell).join('')).join('│')
}

/** Averages groups of `each` neighbors. */
function chunk(values: readonly (number | null)[], each: number): (number | null)[] {
  return Array.from({ length: Math.ceil(values.length / each) }, (_, at) => {
    const present = values.slice(at * each, (at + 1) * each).filter((value) => value !== null)
    return present.length === 0 ? null : present.reduce((sum, value) => sum + value, 0) / present.length
  })
}
