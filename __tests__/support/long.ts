/**
 * What needs longer has a short form in the tests and a command of its own, `npm run test:with -- long`: more random cases, more kills, and
 * all pairs instead of a share of them. In the short form too each kind of case meets every check.
 */
import { appendFileSync } from 'node:fs'

export const isLong = process.env.TEST_LONG === '1'

/** @returns how many cases or rounds there are in this run; `npm run prove` may ask for more than the long form has */
export const runs = (short: number, long: number): number => Number(process.env.TEST_RUNS ?? (isLong ? long : short))

/** Adds to what `npm run prove` says was tried; without it, that is the number of tests. @returns the count */
export function tried(count: number): number {
  if (process.env.TEST_TRIES) appendFileSync(process.env.TEST_TRIES, `${count}\n`)
  return count
}
