/**
 * New ids. Those of resources are a prefix, the time in milliseconds and 80 random bits, in 26 characters of Crockford's base 32, as in a
 * ULID: they sort by time of creation, which is how the store keeps them. Those of requests are random.
 */
import { randomUUID } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CHARACTERS = 26
const PREFIX = { annotation: 'ann', monitor: 'mon', delivery: 'dlv', notifier: 'ntf', savedView: 'view' } as const

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

const NUMBERED = /^ann_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{13}([0-9a-hjkmnp-tv-z]{3})$/
/** So many random bits are in a number, which with the time fit into an integer that every program can keep. */
const RANDOM_BITS = 11

/** @returns the number of an annotation for clients that know integers only: its time of creation and some of its random bits */
export function numberOf(id: string): number {
  const [, time = '0', random = '0'] = NUMBERED.exec(id) ?? []
  return decode(time) * 2 ** RANDOM_BITS + (decode(random) % 2 ** RANDOM_BITS)
}

/** @returns it with its number beside its id */
export function numbered<T extends { id: string }>(annotation: T): T & { number: number } {
  return { ...annotation, number: numberOf(annotation.id) }
}

/** @returns how the ids of the annotations with this number begin */
export function prefixOf(number: number): string {
  return prefixAt(Math.floor(number / 2 ** RANDOM_BITS))
}

/** @returns how the ids of annotations begin that are made in this millisecond; those of later ones sort after it */
export function prefixAt(nowMs: number): string {
  let text = ''
  for (let i = 0, ms = nowMs; i < 10; i++, ms = Math.floor(ms / 32)) text = ALPHABET[ms % 32] + text
  return `${PREFIX.annotation}_${text}`
}

const decode = (text: string) => [...text].reduce((sum, character) => sum * 32 + ALPHABET.indexOf(character), 0)
