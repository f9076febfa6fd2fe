/** Stacks series, so that each starts where the one below it ends. Pure. */
import type { Series } from './frame.ts'

type Values = readonly (number | null)[]

export interface Stack {
  /** The upper end of each series, by its index; null where it has no value. */
  uppers: Values[]
  /** The lower end of each series. */
  lowers: number[][]
}

/** @returns whether the series belongs to the chart itself, and is no line that it is compared with */
export function isOwn({ earlierOf, isThreshold }: Series): boolean {
  return earlierOf === undefined && !isThreshold
}

/**
 * @param hidden labels of series that are not drawn and take no room
 * @returns the stack; series that it is compared with keep their values
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
