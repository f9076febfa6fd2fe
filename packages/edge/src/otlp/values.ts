/**
 * Values of messages as those of events. In protobuf, an integer of 64 bits is a bigint and an id bytes; in JSON, they are texts of digits.
 * In an event a whole number is a bigint, and a number has a decimal point: 5.0 stays a float.
 */
import type { BuiltEvent } from '@deployment-annotations/event-store/scan/event-builder'
import type { EventMembers, EventValue } from '@deployment-annotations/event-store/scan/event-text'
import { NESTING_MAX } from '@deployment-annotations/event-store/scan/limits'
import { type Message, WireError } from './levels.ts'

/** What an event has beside the members that others have too. */
export type OwnMembers = Omit<BuiltEvent, 'shared'>

/** An object with names of anybody's choosing, `__proto__` too. */
export class Members<T = EventValue> {
  [name: string]: T | undefined
}
Object.setPrototypeOf(Members.prototype, null)

const INTEGER = /^-?\d{1,20}$/
const DOUBLE_DIGITS = 15
/** How much of a wrong value a message shows. */
const SHOWN_MAX = 100

/** @returns nothing for an empty text, which OTLP does not tell from none */
export function text(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string') throw unexpected(value, name, 'a string')
  return value
}

/** @returns 0 where it was not sent */
export function whole(value: unknown, name: string): bigint {
  if (typeof value === 'bigint') return value
  if (value === undefined || value === null) return 0n
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && INTEGER.test(value)) return value.length < DOUBLE_DIGITS ? BigInt(+value) : BigInt(value)
  throw unexpected(value, name, 'a whole number')
}

/** A count, or a time that is data. @returns nothing for 0 */
export const count = (value: unknown, name: string): bigint | undefined => whole(value, name) || undefined

/** @returns nothing, and not 0, where it was not sent */
export function double(value: unknown, name: string): number | undefined {
  if (typeof value === 'number') return value
  if (value === undefined || value === null) return undefined
  const number = typeof value === 'bigint' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN
  if (Number.isNaN(number) && value !== 'NaN') throw unexpected(value, name, 'a number')
  return number
}

export function isTrue(value: unknown, name: string): boolean {
  if (value === undefined || value === null) return false
  if (typeof value !== 'boolean') throw unexpected(value, name, 'true or false')
  return value
}

/** The id of a trace or a span, in lower case. @returns nothing for one of zeros, which is none by OpenTelemetry's rules */
export function hexId(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined
  const hex = value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex') : value
  if (typeof hex !== 'string' || !/^(?:[\da-f]{2})*$/i.test(hex)) throw unexpected(value, name, 'an id in hexadecimal digits')
  return /^0*$/.test(hex) ? undefined : hex.toLowerCase()
}

export function message(value: unknown, name: string): Message {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw unexpected(value, name, 'an object')
  return value as Message
}

export function list(value: unknown, name: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw unexpected(value, name, 'an array')
  return value
}

/** @returns nothing where there is nothing in it */
export function listOf<T extends EventValue>(value: unknown, name: string, of: (item: unknown) => T): T[] | undefined {
  const items = list(value, name)
  return items.length > 0 ? items.map(of) : undefined
}

/** @returns nothing where there is nothing in it */
export function filled(members: EventMembers): EventMembers | undefined {
  return Object.values(members).some((value) => value !== undefined) ? members : undefined
}

/** Pairs as an object whose names are just theirs, dots included. @returns nothing where there are none */
export function pairs(value: unknown, name: string): EventMembers | undefined {
  return list(value, name).length > 0 ? membersOf(value, name, 0) : undefined
}

/**
 * An AnyValue.
 * @param depth how many values it is in. Deeper than any event may be nested, the rest is left out: the event is refused for the depth
 *   that it has by then
 */
export function anyValue(value: unknown, depth = 0): EventValue {
  const any = message(value, 'AnyValue')
  if (isSent(any.stringValue)) return text(any.stringValue, 'stringValue') ?? ''
  if (isSent(any.boolValue)) return isTrue(any.boolValue, 'boolValue')
  if (isSent(any.intValue)) return whole(any.intValue, 'intValue')
  if (isSent(any.doubleValue)) return double(any.doubleValue, 'doubleValue') ?? null
  if (isSent(any.arrayValue)) {
    const { values } = message(any.arrayValue, 'arrayValue')
    return depth > NESTING_MAX ? [] : list(values, 'values').map((one) => anyValue(one, depth + 1))
  }
  if (isSent(any.kvlistValue)) return membersOf(message(any.kvlistValue, 'kvlistValue').values, 'values', depth + 1)
  return isSent(any.bytesValue) ? base64(any.bytesValue) : null
}

function membersOf(value: unknown, name: string, depth: number): EventMembers {
  const members = new Members()
  if (depth > NESTING_MAX) return members
  for (const pair of list(value, name)) {
    const { key, value: any } = message(pair, 'KeyValue')
    members[text(key, 'key') ?? ''] = anyValue(any, depth)
  }
  return members
}

export const isSent = (value: unknown) => value !== undefined && value !== null

function base64(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (typeof value === 'string' && /^[\w+/-]*=*$/.test(value)) return Buffer.from(value, 'base64').toString('base64')
  throw unexpected(value, 'bytesValue', 'bytes in base64')
}

function unexpected(value: unknown, name: string, expected: string): WireError {
  const got = Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : String(value).slice(0, SHOWN_MAX)
  return new WireError(`${name} must be ${expected}, got ${got}`)
}
