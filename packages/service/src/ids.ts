/**
 * New ids. Those of resources are a prefix, the time in milliseconds and 80 random bits, in 26 characters of Crockford's base 32, as in a
 * ULID: they sort by time of creation, which is how the store keeps them. Those of requests are random.
 */
import { randomUUID } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CHARACTERS = 26
const PREFIX = { annotation: 'ann', monitor: 'mon', delivery: 'dlv', savedView: 'view' } as const

export function newId(resource: keyof typeof PREFIX, nowMs: number): string {
  // Node draws UUIDs from a pool, ten times as fast as bytes; these are 80 of its 122 random bits.
  const random = randomUUID()
  let bits = (BigInt(nowMs) << 80n) | BigInt(`0x${random.slice(0, 8)}${random.slice(-12)}`)
  let text = ''
  for (let i = 0; i < CHARACTERS; i++, bits >>= 5n) text = ALPHABET[Number(bits & 31n)] + text
  return `${PREFIX[resource]}_${text}`
}

/** @returns the id of a request, which stands in its answer and in the log */
export function newTraceId(): string {
  return randomUUID().replaceAll('-', '')
}
