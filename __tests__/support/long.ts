/**
 * What needs longer has a short form in the tests and a command of its own, `npm run test:with -- long`: more random cases, more kills, and
 * all pairs instead of a share of them. In the short form too each kind of case meets every check.
 */
export const isLong = process.env.TEST_LONG === '1'

/** @returns how many cases or rounds there are in this run */
export const runs = (short: number, long: number): number => (isLong ? long : short)
