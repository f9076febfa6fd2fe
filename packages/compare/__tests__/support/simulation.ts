/** Series as services make them, drawn by chance. */
import type { Series } from '../../src/series.ts'
import type { Chance } from './random.ts'

const list = <T>(length: number, make: () => T): T[] => Array.from({ length }, make)

/**
 * The p99 of each bucket, where 1.5 % of the requests fail after 0.9 s and the others are quick: of so few requests it is the slowest
 * one, and jumps between two levels. There are 27 buckets before, as after half an hour of service.
 */
export function drawLevels(chance: Chance): Series {
  const p99 = () => {
    const sorted = list(35, () => (chance.uniform() < 0.015 ? 900 : 40) + 120 * chance.uniform() ** 3).sort((a, b) => a - b)
    const [last = 0, next = 0] = [sorted[34], sorted[33]]
    return next + 0.66 * (last - next)
  }
  return { kind: 'measurement', before: list(27, p99), after: list(9, p99) }
}
