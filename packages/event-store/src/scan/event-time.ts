/**
 * Reads the time of an event from its JSON text as nanoseconds since the epoch, for a DateTime64(9) column. The most common spelling is
 * read by hand, which is several times faster than the contract's reader; that one reads all other spellings.
 */
import { parseEpoch } from '@deployment-annotations/contract/epoch'
import { isStorable, parseTimestamp, TIMESTAMP_FORMS } from '@deployment-annotations/contract/timestamp'
import { quoted } from '@deployment-annotations/runtime/errors'
import type { TimeLayout } from './go-layout.ts'

const QUOTE = 0x22
/** The length of a time without a fraction. */
const SECONDS_CHARACTERS = 20
/** Whole seconds, milliseconds, microseconds or nanoseconds from 2001 to 2255, which differ in their zeros. */
const PLAIN_EPOCH = /^[1-8]\d{9}(?:\d{3}){0,3}$/
const NS_DIGITS = 19
/** A day without hyphens, which as seconds since the epoch would be one of 1970. */
const BARE_DATE = /^(?:19|20)\d{6}$/
/** Smaller numbers are durations, counts or ids rather than times. */
const EPOCH_FIRST_NS = BigInt(Date.UTC(2001, 0)) * 1_000_000n
/** How far the clock of a sender may be ahead. */
const AHEAD_NS_MAX = 86_400_000_000_000n
/** The digits of seconds since the epoch in 2001. */
const LIKELY_BYTES_MIN = 9
/** A date without a time of day, in quotes, has so many bytes, of which this one is a hyphen. */
const DATE = { bytes: 12, hyphenAt: 5 }
/** What stands between a date and a time of day. */
const TIME_OF_DAY = /[Tt ]/

/**
 * @param from first byte of the JSON value, @param to the position after it
 * @param layout the form of texts, if the request names one
 * @param isCsv whether an empty text is a cell without a value
 * @returns nanoseconds since the epoch; `undefined` for null, because then the event has no time of its own; or the reason why it cannot be
 *   read or stored
 */
export function readEventTime(
  buf: Buffer,
  { from, to }: { from: number; to: number },
  layout: TimeLayout | undefined,
  isCsv: boolean,
): bigint | string | undefined {
  const first = buf[from] as number
  if (first === 0x6e) return undefined
  if (first !== QUOTE) {
    const text = buf.toString('latin1', from, to)
    return PLAIN_EPOCH.test(text) ? BigInt(text.padEnd(NS_DIGITS, '0')) : storable(parseEpoch(text), text)
  }
  const plain = layout ? undefined : readPlain(buf, from + 1, to - 1)
  if (plain !== undefined) return plain
  const text = JSON.parse(buf.toString('utf8', from, to)) as string
  if (isCsv && text === '') return undefined
  return storable(layout ? layout.parse(text) : readText(text), text, layout)
}

const readText = (text: string) => parseTimestamp(text) ?? (BARE_DATE.test(text) ? undefined : parseEpoch(text))

/**
 * Reads the value of a member that is only likely to be the event's time, so that what may be anything else is none.
 * @returns nanoseconds; `undefined` unless it is a text with a date and a time of day, or an epoch number from 2001 to a day after `nowNs`
 */
export function readLikelyTime(buf: Buffer, place: { from: number; to: number }, nowNs: bigint): bigint | undefined {
  const { from, to } = place
  const isDate = to - from === DATE.bytes && buf[from + DATE.hyphenAt] === 0x2d
  const digit = number(buf, buf[from] === QUOTE ? from + 1 : from, 1)
  // Durations and words are told by these bytes, which costs less than reading them as times.
  if (to - from < LIKELY_BYTES_MIN || isDate || Number.isNaN(digit)) return undefined
  const ns = readEventTime(buf, place, undefined, true)
  if (typeof ns !== 'bigint') return undefined
  if (ns >= EPOCH_FIRST_NS && ns <= nowNs + AHEAD_NS_MAX) return ns
  return TIME_OF_DAY.test(buf.toString('latin1', from, to)) ? ns : undefined
}

function storable(ns: bigint | undefined, text: string, layout?: TimeLayout): bigint | string {
  if (ns === undefined) {
    const wanted = layout ? `not of the form ${quoted(layout.text)}` : `neither ${TIMESTAMP_FORMS} nor an epoch number`
    return `the time ${quoted(text)} is ${wanted}`
  }
  return isStorable(ns) ? ns : `the time ${quoted(text)} is outside the range that can be stored, 1900-01-01 to 2262-04-11`
}

/** Reads `YYYY-MM-DDThh:mm:ss[.f…]Z` from 1970 on. Any other text gives `undefined` and is read the slow way. */
function readPlain(buf: Buffer, from: number, to: number): bigint | undefined {
  const digits = to - from - SECONDS_CHARACTERS
  if (digits < 0 || digits === 1 || digits > 10 || buf[to - 1] !== 0x5a || buf[from + 4] !== 0x2d || buf[from + 7] !== 0x2d)
    return undefined
  if (buf[from + 10] !== 0x54 || buf[from + 13] !== 0x3a || buf[from + 16] !== 0x3a) return undefined
  if (digits > 0 && buf[from + 19] !== 0x2e) return undefined
  const year = number(buf, from, 4)
  const [month, day] = [number(buf, from + 5, 2), number(buf, from + 8, 2)]
  const [hour, minute, second] = [number(buf, from + 11, 2), number(buf, from + 14, 2), number(buf, from + 17, 2)]
  const nanos = digits === 0 ? 0 : number(buf, from + 20, digits - 1) * 10 ** (10 - digits)
  const midnightMs = Date.UTC(year, month - 1, day)
  // NaN from a byte that is not a digit fails every comparison.
  const isDay = month >= 1 && month <= 12 && day >= 1 && midnightMs < Date.UTC(year, month, 1)
  if (!(year >= 1970 && year < 2262 && isDay)) return undefined
  if (!(hour < 24 && minute < 60 && second < 60 && nanos >= 0)) return undefined
  const seconds = midnightMs / 1_000 + hour * 3_600 + minute * 60 + second
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanos)
}

/** Reads so many digits. */
function number(buf: Buffer, from: number, digits: number): number {
  let value = 0
  for (let i = from; i < from + digits; i++) {
    const digit = (buf[i] as number) - 0x30
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : Number.NaN
  }
  return value
}
