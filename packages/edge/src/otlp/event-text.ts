/**
 * An event as JSON. Numbers keep a decimal point, so that 5.0 stays a float, and whole numbers every digit.
 */
import type { EventMembers, EventValue } from '@deployment-annotations/event-store/scan/event-builder'
import { printNs } from '@deployment-annotations/event-store/scan/event-time'

/** From here on (1973) a number of nanoseconds is read as one; see the rules of times in docs/ingest.md. */
const NS_READ_MIN = 10n ** 17n

/** @returns members without the braces around them */
export function membersText(members: EventMembers): string {
  let text = ''
  for (const name in members) {
    const value = members[name]
    if (value !== undefined) text += `${text && ','}${JSON.stringify(name)}:${valueText(value)}`
  }
  return text
}

export const timeText = (ns: bigint): string => `"_time":${ns >= NS_READ_MIN ? ns : `"${printNs(String(ns))}"`}`

function valueText(value: EventValue): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return numberText(value)
  if (typeof value !== 'object' || value === null) return String(value)
  return isArray(value) ? `[${value.map(valueText).join()}]` : `{${membersText(value)}}`
}

const isArray = (value: EventValue): value is readonly EventValue[] => Array.isArray(value)

/** JSON has no way to write what is not finite: as everywhere here, that is null. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) return 'null'
  const text = Object.is(value, -0) ? '-0' : String(value)
  return Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text
}
