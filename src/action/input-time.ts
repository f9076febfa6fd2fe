/**
 * The time inputs: `now`, Unix epoch numbers, and the contract's timestamps, all to the nanosecond.
 */
import { formatTimestamp, isStorable, parseTimestamp, TIMESTAMP_FORMS } from '@deployment-annotations/contract/timestamp'
import { InputError } from './input-error.ts'
import { quote } from './text.ts'

/** `now` is resolved when the annotation is built, so that it is one instant for the whole step. */
export type InputTime = 'now' | { ns: bigint }

/** Nine digits and more: 2026 or 20260131 is a date that lacks its dashes, not a second of 1970. */
const EPOCH = /^(?<whole>\d{9,})(?:\.(?<fraction>\d{1,9}))?$/
/** Numbers below this are seconds (until the year 5138), from here on milliseconds. */
const SECONDS_END = 100_000_000_000n

/** @throws InputError naming the input and the value */
export function parseInputTime(name: 'time' | 'endTime', text: string): InputTime | undefined {
  if (text === '') return undefined
  if (text === 'now') return 'now'
  const ns = parseEpoch(text) ?? parseTimestamp(text)
  if (ns === undefined) {
    const also = name === 'endTime' ? ', "now" or "job-end"' : ' or "now"'
    throw new InputError([
      `input "${name}" is ${quote(text)}: it must be ${TIMESTAMP_FORMS}, Unix epoch seconds or milliseconds${also}`,
    ])
  }
  if (!isStorable(ns)) throw new InputError([`input "${name}" is ${quote(text)}: only the years 1900 to 2262 can be stored`])
  return { ns }
}

/** Digits after a point, as `date +%s.%N` writes them, are fractions of the unit. */
function parseEpoch(text: string): bigint | undefined {
  const part = EPOCH.exec(text)?.groups
  if (!part) return undefined
  const whole = BigInt(part.whole ?? '')
  const digits = whole < SECONDS_END ? 9 : 6
  const fraction = (part.fraction ?? '').padEnd(digits, '0').slice(0, digits)
  return whole * 10n ** BigInt(digits) + BigInt(fraction)
}

export function formatInputTime(time: InputTime, now: string): string {
  return time === 'now' ? now : formatTimestamp(time.ns)
}
