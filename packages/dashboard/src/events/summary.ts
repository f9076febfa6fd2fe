/** An event in one line, and its values as texts: clipped, every digit kept. Pure. */
import { stringifyExact } from '@deployment-annotations/contract/exact-json'
import { cutText } from '@deployment-annotations/contract/text'
import type { Event } from '../service/query.ts'
import { flatten } from './flatten.ts'
import { splitSource } from './source.ts'

/** More does not fit in a line of a wide screen. */
const SUMMARY_CHARS_MAX = 400
const VALUE_POINTS_MAX = 80
const NAME_POINTS_MAX = 60

interface SummaryPart {
  name: string
  value: string
}

/** @returns as many of the first fields as a line may hold */
export function summarizeEvent(data: Readonly<Record<string, unknown>>): SummaryPart[] {
  const parts: SummaryPart[] = []
  let left = SUMMARY_CHARS_MAX
  for (const { name, value } of flatten(data)) {
    if (left <= 0) break
    const part = { name: cutText(name, NAME_POINTS_MAX), value: cutText(formatValue(value), VALUE_POINTS_MAX) }
    left -= part.name.length + part.value.length
    parts.push(part)
  }
  return parts
}

/** @returns texts as they are, anything else as JSON */
export function formatValue(value: unknown, isPretty = false): string {
  if (typeof value === 'string') return value
  return value === undefined ? '' : stringifyExact(value, isPretty ? 2 : undefined)
}

/** @returns JSON that could be ingested again */
export function formatEvent(event: Event): string {
  return formatValue({ _time: event._time, ...splitSource(event).data }, true)
}
