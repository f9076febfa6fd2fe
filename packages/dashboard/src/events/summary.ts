/** Summarizes an event in one line, and writes its values as texts with every digit. Pure. */
import { findFields, USUAL_NAMES } from '@deployment-annotations/compare/usual-names'
import { stringifyExact } from '@deployment-annotations/contract/exact-json'
import { cutText } from '@deployment-annotations/contract/text'
import { showName } from '../query/name.ts'
import type { Event } from '../service/query.ts'
import type { EventField } from './flatten.ts'
import { splitSource } from './source.ts'

/** More text does not fit in a line of a wide screen. */
const IN_LINE = { chars: 400, valuePoints: 80 }
/** The limits of an event that takes as many lines as it needs; its details show everything. */
const WRAPPED = { chars: 4_000, valuePoints: 1_000 }
const NAME_POINTS_MAX = 60

/**
 * @param without the name of a field that is already shown
 * @returns as many of the first fields as the limits allow, the message before the others
 */
export function summarizeEvent(fields: readonly EventField[], isWrapped = false, without?: string) {
  const { chars, valuePoints } = isWrapped ? WRAPPED : IN_LINE
  // By the names that loggers give to the message.
  const [message] = findFields(fields, USUAL_NAMES.message)
  const parts: { name: string; value: string }[] = []
  let left = chars
  for (const { name, value } of new Set([...(message ? [message] : []), ...fields])) {
    if (left <= 0) break
    if (name === without) continue
    const part = { name: cutText(showName(name), NAME_POINTS_MAX), value: cutText(writeFieldValue(value), valuePoints) }
    left -= part.name.length + part.value.length
    parts.push(part)
  }
  return parts
}

/** @returns a value as the text of a table cell */
export function summarizeValue(value: unknown, isWrapped: boolean): string {
  return cutText(writeFieldValue(value), (isWrapped ? WRAPPED : IN_LINE).valuePoints)
}

/** @returns texts unchanged, and anything else as JSON */
export function writeFieldValue(value: unknown, indent?: number): string {
  return typeof value === 'string' ? value : stringifyExact(value, indent)
}

/** @returns JSON that may be ingested again */
export function formatEvent(event: Event): string {
  return stringifyExact({ _time: event._time, ...splitSource(event).data }, 2)
}
