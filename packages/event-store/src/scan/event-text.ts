/**
 * An event as JSON. Numbers keep a decimal point, so that 5.0 stays a float, and whole numbers every digit.
 */
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'

/** A bigint is a whole number; a number has a decimal point, and is null where it is not finite. */
export type EventValue = string | bigint | number | boolean | null | readonly EventValue[] | EventMembers

/** Members that are `undefined` are absent. */
export interface EventMembers {
  readonly [name: string]: EventValue | undefined
}

/** From here on (1973) a number of nanoseconds is read as one; see the rules of times in docs/ingest.md. */
const NS_READ_MIN = 10n ** 17n

/**
 * @param keyOf how a name is written
 * @returns members without the braces around them
 */
export function membersText(members: EventMembers, keyOf = (name: string) => name): string {
  let text = ''
  for (const name in members) {
    const value = members[name]
    if (value !== undefined) text += `${text && ','}${JSON.stringify(keyOf(name))}:${valueText(value, keyOf)}`
  }
  return text
}

export const timeText = (ns: bigint): string => `"_time":${ns >= NS_READ_MIN ? ns : `"${formatTimestamp(ns)}"`}`

function valueText(value: EventValue, keyOf: (name: string) => string): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return numberText(value)
  if (typeof value !== 'object' || value === null) return String(value)
  return isArray(value) ? `[${value.map((item) => valueText(item, keyOf)).join()}]` : `{${membersText(value, keyOf)}}`
}

export const isArray = (value: EventValue): value is readonly EventValue[] => Array.isArray(value)

/** JSON has no way to write what is not finite: as everywhere here, that is null. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) return 'null'
  const text = Object.is(value, -0) ? '-0' : String(value)
  return Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text
}

/**
 * Writes JSON again: of equal names the last value stays, and the engine reads it as it was sent. Numbers keep their text: `1.0` must stay
 * a float, which the contract's reader of exact integers does not preserve, and the engine reads -0 as the integer 0.
 * JSON.stringify prints such numbers unchanged; TypeScript's types do not know them yet.
 * @param keyOf how a name is written
 */
export function rewriteJson(json: string, keyOf?: (name: string) => string): string {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
  const rewrite = (_: string, value: unknown, context?: { source: string }) => {
    if (typeof value === 'number' && context) return rawJSON(context.source === '-0' ? '-0.0' : context.source)
    const isMap = keyOf && typeof value === 'object' && value !== null && !Array.isArray(value)
    return isMap ? Object.fromEntries(Object.entries(value).map(([key, member]) => [keyOf(key), member])) : value
  }
  return JSON.stringify((JSON.parse as (json: string, reviver: typeof rewrite) => unknown)(json, rewrite))
}
