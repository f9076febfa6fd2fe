/**
 * JSON whose big integers survive: beyond 2^53 they are `bigint`, in both directions. Other numbers are what JSON.parse makes
 * of them: the service keeps decimals in 64 bits as well.
 */
import { isInteger, isSafeNumber, parse, stringify } from 'lossless-json'

/** Sixteen digits in a row, which any integer beyond 2^53 has; texts without go the fast way. */
const MAY_BE_BIG = /\d{16}/

/** @throws SyntaxError */
export function parseExact(text: string): unknown {
  return MAY_BE_BIG.test(text) ? parse(text, null, parseNumber) : JSON.parse(text)
}

function parseNumber(text: string): number | bigint {
  return isInteger(text) && !isSafeNumber(text) ? BigInt(text) : Number(text)
}

/** @throws TypeError for what is no JSON: a function, a value that holds itself */
export function stringifyExact(value: unknown): string {
  const text = stringify(value)
  if (text === undefined) throw new TypeError(`${typeof value} is no JSON value`)
  return text
}
