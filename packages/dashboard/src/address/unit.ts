/** Formats the values of charts in their unit. Pure. */
import { type Unit, VALUE_UNITS } from '@deployment-annotations/contract/unit'
import { formatCompact } from './format-time.ts'
import { listRoundSteps } from './range.ts'

export type { Unit }

export const UNIT_NAMES: readonly [Unit, string][] = [
  ['none', 'none'],
  ['bytes', 'bytes'],
  ['ns', 'nanoseconds'],
  ['us', 'microseconds'],
  ['ms', 'milliseconds'],
  ['s', 'seconds'],
  ['percent', 'percent (of 100)'],
  ['fraction', 'share (of 1)'],
]

const NS: Readonly<Partial<Record<Unit, number>>> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 }

/** The units of a scale, the largest first: the name, the size, and the smallest value that is shown in the unit. */
type Scale = readonly (readonly [name: string, size: number, from: number])[]
const BYTES: Scale = [
  ...['PB', 'TB', 'GB', 'MB', 'kB'].map((name, at) => [name, 1e3 ** (5 - at), 1e3 ** (5 - at)] as const),
  ['B', 1, 0],
]
const DURATION: Scale = [
  ['d', 86_400e9, 2 * 86_400e9],
  ['h', 3_600e9, 2 * 3_600e9],
  ['min', 60e9, 120e9],
  ['s', 1e9, 1e9],
  ['ms', 1e6, 1e6],
  ['µs', 1e3, 1e3],
  ['ns', 1, 0],
]

/** @returns the unit that an address names; `undefined` for any other text */
export function parseUnit(text: string): Unit | undefined {
  return VALUE_UNITS.find((unit) => unit === text)
}

/** @returns such as `1.23 MB`, `12.5 min`, `3.4%`; without a unit the number alone */
export function formatInUnit(value: number, unit: Unit): string {
  if (unit === 'none') return formatCompact(value)
  if (unit === 'percent' || unit === 'fraction') return `${formatDigits(unit === 'percent' ? value : value * 100)}%`
  const ns = NS[unit]
  return ns === undefined ? inScale(value, BYTES) : inScale(value * ns, DURATION)
}

/** @returns the steps of an axis of durations, which are counted in sixties; `undefined` for units that are counted in tens */
export function axisSteps(unit: Unit): number[] | undefined {
  const ns = NS[unit]
  if (ns === undefined) return undefined
  const below = Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((n) => (n * 10 ** (power - 3)) / ns)).flat()
  const years = [1, 2, 5, 10, 20, 50, 100].map((n) => (n * 365 * 86_400e9) / ns)
  return [...below, ...listRoundSteps().map((ms) => (ms * 1e6) / ns), ...years]
}

function inScale(value: number, scale: Scale): string {
  const size = Math.abs(value)
  // Zero is shown without a unit.
  const [name, of] = scale.find(([, , from]) => size >= from && size > 0) ?? scale.at(-1) ?? ['', 1]
  return value === 0 ? '0' : `${formatDigits(value / of)} ${name}`
}

function formatDigits(value: number): string {
  return new Intl.NumberFormat('en', { maximumSignificantDigits: Math.abs(value) < 1_000 ? 3 : 5 }).format(value)
}
