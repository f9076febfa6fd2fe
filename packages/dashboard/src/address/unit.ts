/** Formats the values of charts in their unit. Pure. */
import { nanosecondsOf, showInUnit, type Unit, VALUE_UNITS } from '@deployment-annotations/contract/unit'
import { formatCompact } from './format-time.ts'
import { STEPS_MS } from './range.ts'

export type { Unit }

/** @returns the unit that an address names; `undefined` for any other text */
export function parseUnit(text: string): Unit | undefined {
  return VALUE_UNITS.find((unit) => unit === text)
}

/** @returns such as `1.23 MB`, `12.5 min`, `3.4 %`; without a unit the number alone */
export function formatInUnit(value: number, unit: Unit): string {
  return showInUnit(value, unit, unit === 'none' ? formatCompact : formatDigits)
}

/** @returns the steps of an axis of durations, which are counted in sixties; `undefined` for units that are counted in tens */
export function axisSteps(unit: Unit): number[] | undefined {
  const one = nanosecondsOf(unit)
  if (one === undefined) return undefined
  const ns = Number(one)
  const below = Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((n) => (n * 10 ** (power - 3)) / ns)).flat()
  const years = [1, 2, 5, 10, 20, 50, 100].map((n) => (n * 365 * 86_400e9) / ns)
  return [...below, ...STEPS_MS.map((ms) => (ms * 1e6) / ns), ...years]
}

function formatDigits(value: number): string {
  return new Intl.NumberFormat('en', { maximumSignificantDigits: Math.abs(value) < 1_000 ? 3 : 5 }).format(value)
}
