/**
 * Values of OTLP as the JSON text of an event. Text from the start, so that integers keep every digit, and a number with a decimal point
 * keeps it: 5.0 stays a float.
 */
import { printNs } from '@deployment-annotations/event-store/scan/event-time'
import type { AnyValue, KeyValue } from './messages.ts'
import type { Int64 } from './wire.ts'

/** A member of an object; one without a text is left out. */
export type Member = readonly [name: string, text: string | undefined]

/** @returns the members, with commas between them */
export function joinMembers(members: readonly Member[]): string {
  let text = ''
  for (const [name, value] of members) {
    if (value !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${value}`
  }
  return text
}

/** @returns the object, `undefined` where it would be empty */
export function objectText(members: readonly Member[]): string | undefined {
  const text = joinMembers(members)
  return text === '' ? undefined : `{${text}}`
}

export function arrayText(items: readonly string[] | undefined): string | undefined {
  return items && items.length > 0 ? `[${items.join(',')}]` : undefined
}

/** An empty text means that there is none. */
export function stringText(text: string | undefined): string | undefined {
  return text ? JSON.stringify(text) : undefined
}

/** JSON has no way to write what is not finite: as everywhere here, that is null. */
export function doubleText(value: number): string {
  if (!Number.isFinite(value)) return 'null'
  if (Object.is(value, -0)) return '-0.0'
  const text = String(value)
  return /^-?\d+$/.test(text) ? `${text}.0` : text
}

/** @returns nothing for 0, which the protocol does not tell from what was not sent */
export function countText(value: number | undefined): string | undefined {
  return value ? String(value) : undefined
}

/** Ids are written in lower case. One of zeros is none, by OpenTelemetry's rules. */
export function hexText(id: Uint8Array | undefined): string | undefined {
  return id?.some((byte) => byte !== 0) ? `"${Buffer.from(id.buffer, id.byteOffset, id.length).toString('hex')}"` : undefined
}

/** From here on (1973) a number of nanoseconds is read as one; see the rules of times in docs/ingest.md. */
const NS_DIGITS_MIN = 18

/** @returns the time of an event, to the nanosecond */
export function timeText(ns: Int64 | undefined): string | undefined {
  const digits = ns === undefined ? '0' : ns.toString()
  if (digits === '0') return undefined
  return digits.length >= NS_DIGITS_MIN ? digits : JSON.stringify(printNs(digits))
}

/** A time that is data, in nanoseconds. */
export function nsText(ns: Int64 | undefined): string | undefined {
  const digits = ns === undefined ? '0' : ns.toString()
  return digits === '0' ? undefined : digits
}

export function valueText(value: AnyValue | undefined): string {
  // What was not sent has a neutral value, so the order of these does not matter, but whether they are there themselves does.
  if (value === undefined || value === null) return 'null'
  const has = (name: keyof AnyValue) => Object.hasOwn(value, name)
  if (has('stringValue')) return JSON.stringify(value.stringValue)
  if (has('boolValue')) return String(value.boolValue)
  if (has('intValue')) return String(value.intValue)
  if (has('doubleValue')) return doubleText(value.doubleValue as number)
  if (has('arrayValue')) return `[${(value.arrayValue?.values ?? []).map(valueText).join(',')}]`
  if (has('kvlistValue')) return pairsText(value.kvlistValue?.values) ?? '{}'
  if (has('bytesValue')) return `"${Buffer.from(value.bytesValue ?? []).toString('base64')}"`
  return 'null'
}

/** @returns the pairs as an object whose names are just theirs, dots included */
export function pairsText(pairs: readonly KeyValue[] | undefined): string | undefined {
  return objectText((pairs ?? []).map(({ key = '', value }) => [key, valueText(value)]))
}
