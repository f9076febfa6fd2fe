/**
 * Reads the time of an event from its JSON text as decimal nanoseconds since the epoch, for a DateTime64(9) column.
 * The most common spelling is read without BigInt, which is several times faster than the contract's reader; that one reads all other
 * spellings.
 */
import { parseEpoch } from '@deployment-annotations/contract/epoch'
import { formatTimestamp, isStorable, parseTimestamp, TIMESTAMP_FORMS } from '@deployment-annotations/contract/timestamp'
import { quoted } from '@deployment-annotations/runtime/errors'
import type { TimeLayout } from './go-layout.ts'

const QUOTE = 0x22
/** Nanoseconds from 2001 to 2255, as OpenTelemetry has them. */
const PLAIN_NS = /^[1-8]\d{18}$/

/** The time cannot be read or stored; the message names the value and the expected form. */
export class EventTimeError extends Error {}

/**
 * @param from first byte of the JSON value, @param to the position after it
 * @param layout the form of texts, if the request names one
 * @param isCsv whether cells are texts, so that digits alone are an epoch number
 * @returns decimal nanoseconds; `undefined` for null, because then the event has no time of its own
 * @throws {EventTimeError}
 */
export function readEventTime(
  buf: Buffer,
  from: number,
  to: number,
  layout: TimeLayout | undefined,
  isCsv: boolean,
): string | undefined {
  const first = buf[from] as number
  if (first === 0x6e) return undefined
  if (first !== QUOTE) {
    const text = buf.toString('latin1', from, to)
    if (PLAIN_NS.test(text)) return text
    const ns = parseEpoch(text)
    if (ns === undefined) throw new EventTimeError(`the time ${quoted(text)} is neither ${TIMESTAMP_FORMS} nor an epoch number`)
    return storable(ns, text)
  }
  if (!layout) {
    const fast = readPlain(buf, from + 1, to - 1)
    if (fast !== undefined) return fast
  }
  const text = JSON.parse(buf.toString('utf8', from, to)) as string
  if (isCsv && text === '') return undefined
  const ns = layout ? layout.parse(text) : (parseTimestamp(text) ?? (isCsv ? parseEpoch(text) : undefined))
  if (ns !== undefined) return storable(ns, text)
  throw new EventTimeError(`the time ${quoted(text)} is not ${layout ? `of the form ${quoted(layout.text)}` : TIMESTAMP_FORMS}`)
}

function storable(ns: bigint, text: string): string {
  if (isStorable(ns)) return ns.toString()
  throw new EventTimeError(`the time ${quoted(text)} is outside the range that can be stored, 1900-01-01 to 2262-04-11`)
}

/** Reads `YYYY-MM-DDThh:mm:ss[.f…]Z` from 1970 on. Any other text gives `undefined` and is read the slow way. */
function readPlain(buf: Buffer, from: number, to: number): string | undefined {
  const length = to - from
  if (length < 20 || length > 30 || buf[to - 1] !== 0x5a || buf[from + 4] !== 0x2d || buf[from + 7] !== 0x2d) return undefined
  if (buf[from + 10] !== 0x54 || buf[from + 13] !== 0x3a || buf[from + 16] !== 0x3a) return undefined
  const year = pair(buf, from) * 100 + pair(buf, from + 2)
  const [month, day] = [pair(buf, from + 5), pair(buf, from + 8)]
  const [hour, minute, second] = [pair(buf, from + 11), pair(buf, from + 14), pair(buf, from + 17)]
  const midnightMs = Date.UTC(year, month - 1, day)
  // NaN from a byte that is not a digit fails every comparison.
  const isDay = month >= 1 && month <= 12 && day >= 1 && midnightMs < Date.UTC(year, month, 1)
  if (!(year >= 1970 && year < 2262 && isDay)) return undefined
  if (!(hour < 24 && minute < 60 && second < 60)) return undefined
  const seconds = midnightMs / 1_000 + hour * 3_600 + minute * 60 + second
  if (length === 20) return seconds === 0 ? '0' : `${seconds}000000000`
  if (buf[from + 19] !== 0x2e || length === 21) return undefined
  for (let i = from + 20; i < to - 1; i++) if ((buf[i] as number) < 0x30 || (buf[i] as number) > 0x39) return undefined
  const fraction = buf.toString('latin1', from + 20, to - 1).padEnd(9, '0')
  return seconds === 0 ? String(Number(fraction)) : seconds + fraction
}

function pair(buf: Buffer, at: number): number {
  const [tens, ones] = [(buf[at] as number) - 0x30, (buf[at + 1] as number) - 0x30]
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/** @returns the time of an event as answers print it */
export function printNs(ns: string): string {
  return formatTimestamp(BigInt(ns))
}
