/**
 * The time inputs: `now`, Unix epoch numbers, and the contract's timestamps with a zone, all to the nanosecond. Other forms are read by
 * what corrects inputs (foreign-time.ts).
 */
import { parseEpoch } from '@deployment-annotations/contract/epoch'
import { formatTimestamp, isStorable, parseTimestamp, TIMESTAMP_FORMS } from '@deployment-annotations/contract/timestamp'
import { refuse } from './input-error.ts'
import { quote } from './text.ts'

/** `now` is resolved when the annotation is built, so that it is one instant for the whole step. */
export type InputTime = 'now' | { ns: bigint }

/**
 * Seconds or milliseconds. Nine digits and more: 2026 or 20260131 is a date that lacks its dashes, not a second of 1970. Numbers of twelve
 * and fourteen digits are dates and times without separators, such as 20260131120000.
 */
const EPOCH = /^(?:\d{9,11}|\d{13})(?:\.\d{1,9})?$/
/** A time of day with its zone. */
const ZONED = /^[^Tt ]*[Tt ].*[Zz+-]/

/** @param also says which words besides are taken for this input @throws InputError naming the input and the value */
export function parseInputTime(name: string, text: string, also = ' or "now"'): InputTime | undefined {
  if (text === '') return undefined
  if (text === 'now') return 'now'
  const ns = EPOCH.test(text) ? parseEpoch(text) : ZONED.test(text) ? parseTimestamp(text) : undefined
  if (ns === undefined) {
    return refuse(name, ` is ${quote(text)}: it must be ${TIMESTAMP_FORMS}, Unix epoch seconds or milliseconds${also}`)
  }
  if (!isStorable(ns)) refuse(name, ` is ${quote(text)}: only the years 1900 to 2262 can be stored`)
  return { ns }
}

export function formatInputTime(time: InputTime, now: string): string {
  return time === 'now' ? now : formatTimestamp(time.ns)
}
