/** Builds the cells of a heat map from histograms over time. Pure. */
import type { Table } from '../service/query.ts'

interface Cell {
  /** The index of the bin of time. */
  bin: number
  low: number
  high: number
  count: number
}

export interface Heat {
  cells: Cell[]
  countMax: number
  low: number
  high: number
}

/**
 * @param at the index of a column with lists of `{ from, to, count }`, as `histogram()` answers
 * @param binOf returns the bin of a row; `undefined` if it is not drawn
 * @returns `undefined` if there is nothing to draw
 */
export function buildHeat({ columns }: Table, at: number, binOf: (row: number) => number | undefined): Heat | undefined {
  const cells = (columns[at] ?? []).flatMap((value, row) => {
    const bin = binOf(row)
    return bin === undefined || !Array.isArray(value) ? [] : value.flatMap((bucket: unknown) => cellOf(bin, bucket))
  })
  if (cells.length === 0) return undefined
  return {
    cells,
    countMax: cells.reduce((most, { count }) => Math.max(most, count), 0),
    low: cells.reduce((least, { low }) => Math.min(least, low), Number.POSITIVE_INFINITY),
    high: cells.reduce((most, { high }) => Math.max(most, high), Number.NEGATIVE_INFINITY),
  }
}

/** @returns the range of the axis of values; a single value is in its middle */
export function rangeOfHeat({ low, high }: Heat): [number, number] {
  // The margin leaves room for the highest label.
  if (high > low) return [low, high + (high - low) * 0.06]
  const around = Math.abs(low) / 10 || 1
  return [low - around, high + around]
}

/** @returns the lowest edge of a cell that a logarithmic scale can show; `null` if there is none */
export function lowestAboveZero({ cells }: Heat): number | null {
  const edges = cells.flatMap(({ low, high }) => [low, high]).filter((edge) => edge > 0)
  return edges.length === 0 ? null : edges.reduce((least, edge) => Math.min(least, edge))
}

function cellOf(bin: number, bucket: unknown): Cell[] {
  const { from, to, count } = (bucket ?? {}) as Record<string, unknown>
  const [low, high, events] = [Number(from), Number(to), Number(count)]
  return events > 0 && high >= low ? [{ bin, low, high, count: events }] : []
}
