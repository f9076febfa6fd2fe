/** Series drawn on top of each other, each from where the one below it ends. Pure. */
import type { Series } from './frame.ts'

type Values = readonly (number | null)[]

export interface Stack {
  /** Where each series ends, by its place; null where it has no value. */
  uppers: Values[]
  /** Where it starts. */
  lowers: number[][]
}

/** @returns whether it is one of the chart's own, and no line to compare these with */
export function isOwn({ earlierOf, isThreshold }: Series): boolean {
  return earlierOf === undefined && !isThreshold
}

/**
 * @param hidden labels of series that are not drawn, and take no room
 * @returns what is compared with the stack stays where it is
 */
export function stackSeries(series: readonly Series[], hidden: ReadonlySet<string>): Stack {
  const floor: number[] = series[0]?.values.map(() => 0) ?? []
  const lowers = series.map((one) => {
    if (!isOwn(one) || hidden.has(one.label)) return one.values.map(() => 0)
    const lower = [...floor]
    for (const [bin, value] of one.values.entries()) floor[bin] = (floor[bin] ?? 0) + (value ?? 0)
    return lower
  })
  const uppers = series.map(({ values }, at) =>
    values.map((value, bin) => (value === null ? null : value + (lowers[at]?.[bin] ?? 0))),
  )
  return { uppers, lowers }
}
