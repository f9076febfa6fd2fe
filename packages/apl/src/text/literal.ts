/**
 * Literal values: how they are held, and how they are read from text.
 * Deliberately not here: conversions between types, which depend on the operator and happen in the engine.
 */
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { formatTimestamp, parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { byWord } from './synonyms.ts'

export type LiteralValue =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'integer'; readonly value: bigint }
  | { readonly type: 'real'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: boolean }
  /** Nanoseconds since the epoch. */
  | { readonly type: 'datetime'; readonly ns: bigint }
  | { readonly type: 'timespan'; readonly ns: bigint }
  /** Any JSON value, as JSON text. */
  | { readonly type: 'dynamic'; readonly json: string }
  | { readonly type: 'null' }

export const INTEGER_MAX = 9_223_372_036_854_775_807n
export const INTEGER_MIN = -INTEGER_MAX - 1n

const NS: Readonly<Record<string, bigint>> = { ...UNIT_NS, tick: 100n }

/** The units by their other names. */
const UNIT_SPELLINGS = byWord({
  ns: 'nanosecond nanoseconds',
  tick: 'ticks',
  us: 'microsecond microseconds micro',
  ms: 'millisecond milliseconds milli',
  s: 'sec second seconds',
  m: 'min minute minutes',
  h: 'hr hrs hour hours',
  d: 'day days',
  w: 'week weeks',
})

/** The number that a constant is; `undefined` for any other. */
export const literalNumber = (literal: LiteralValue | undefined): bigint | number | undefined =>
  literal?.type === 'integer' || literal?.type === 'real' ? literal.value : undefined

/** The same, and of a timespan its nanoseconds. */
export const literalAmount = (literal: LiteralValue | undefined): bigint | number | undefined =>
  literal?.type === 'timespan' ? literal.ns : literalNumber(literal)

/** Whether a text spells a number as the engine reads it. */
export const isNumberText = (text: string): boolean => /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)

/** Every spelling of a unit of time, and its nanoseconds. */
export const TIME_UNITS: ReadonlyMap<string, bigint> = new Map([
  ...Object.entries(NS),
  ...[...UNIT_SPELLINGS].map(([word, unit]): [string, bigint] => [word, NS[unit] as bigint]),
])

/** Nanoseconds of one unit of time, or `undefined` if the word is not one. */
export const unitNs = (word: string): bigint | undefined => TIME_UNITS.get(word)

/** `30`, `1.5`, `2e3` times a unit, exactly; fractions of a nanosecond are cut. */
function scale(digits: string, unit: bigint): bigint | undefined {
  const part = /^(-?)(\d+)(?:\.(\d+))?$/.exec(digits)
  if (!part) return undefined
  const fraction = part[3] ?? ''
  const ns = (BigInt((part[2] as string) + fraction) * unit) / 10n ** BigInt(fraction.length)
  return part[1] ? -ns : ns
}

/**
 * Reads a timespan: `1h`, `1.5d`, `-30m`, and the clock forms `[d.]hh:mm[:ss[.fraction]]`.
 * @returns `undefined` if the text is not a timespan, or is longer than 64-bit nanoseconds (292 years)
 */
export function parseTimespan(text: string): LiteralValue | undefined {
  const simple = /^(-?\d+(?:\.\d+)?)\s*([a-z]+)$/.exec(text)
  if (simple) {
    const unit = unitNs(simple[2] as string)
    return unit === undefined ? undefined : timespan(scale(simple[1] as string, unit))
  }
  const clock = /^(-?)(?:(\d+)\.)?(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/.exec(text)
  if (clock) {
    const [days, hours, minutes, seconds] = [clock[2], clock[3], clock[4], clock[5]].map((digits) => BigInt(digits ?? 0)) as [
      bigint,
      bigint,
      bigint,
      bigint,
    ]
    const ns = (((days * 24n + hours) * 60n + minutes) * 60n + seconds) * UNIT_NS.s + BigInt((clock[6] ?? '').padEnd(9, '0'))
    return timespan(clock[1] ? -ns : ns)
  }
  return /^-?\d+$/.test(text) ? timespan(scale(text, UNIT_NS.d)) : undefined
}

function timespan(ns: bigint | undefined): LiteralValue | undefined {
  return ns === undefined || ns > INTEGER_MAX || ns < INTEGER_MIN ? undefined : { type: 'timespan', ns }
}

/** The negative of a number or a timespan; `undefined` of anything else. */
export function negated(literal: LiteralValue): LiteralValue | undefined {
  if (literal.type === 'integer') return { type: 'integer', value: -literal.value }
  if (literal.type === 'real') return { type: 'real', value: -literal.value }
  return literal.type === 'timespan' ? { type: 'timespan', ns: -literal.ns } : undefined
}

/** As JSON text, as it is in an answer: a point in time as text, a timespan as a number of nanoseconds. */
export function jsonOf(literal: LiteralValue): string {
  switch (literal.type) {
    case 'integer':
      return String(literal.value)
    case 'datetime':
      return JSON.stringify(formatTimestamp(literal.ns))
    case 'timespan':
      return String(literal.ns)
    case 'dynamic':
      return literal.json
    case 'null':
      return 'null'
    default:
      return JSON.stringify(literal.value)
  }
}

/** A value of a program as a literal: a number that is no whole one of 53 bits, and a bigint of more than 64, is a float. */
export function literalOf(value: string | number | bigint | boolean | null): LiteralValue {
  if (value === null) return { type: 'null' }
  if (typeof value === 'string') return { type: 'string', value }
  if (typeof value === 'boolean') return { type: 'boolean', value }
  const isWhole = typeof value === 'bigint' ? value <= INTEGER_MAX && value >= INTEGER_MIN : Number.isSafeInteger(value)
  return isWhole ? { type: 'integer', value: BigInt(value) } : { type: 'real', value: Number(value) }
}

/** Reads a point in time as `datetime(…)` takes it: the contract's forms, `10/25/2026`, and a year or a month alone. */
export function parseDatetime(text: string): Extract<LiteralValue, { type: 'datetime' }> | undefined {
  const iso = text.replace(/^(\d\d?)\/(\d\d?)\/(\d{4})/, '$3-0$1-0$2').replace(/(?<=^[-\d]{4,8})-0(?=\d\d)/g, '-')
  const ns = parseTimestamp(/^\d{4}$/.test(iso) ? `${iso}-01-01` : /^\d{4}-\d\d$/.test(iso) ? `${iso}-01` : iso)
  return ns === undefined ? undefined : { type: 'datetime', ns }
}

/**
 * What a text looks like that is a point in time: a date with a year, and with a time of the day perhaps; a year, or a year and a month; or seconds,
 * milliseconds, microseconds or nanoseconds since 1970. The engine alone takes nearly anything, and "20" for the 20th of some month.
 */
export const TIME_FORMS = (() => {
  const year = '(?:(?:19|2[01])[0-9][0-9]|22[0-5][0-9]|226[0-2])'
  const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
  const two = '[0-9]?[0-9]'
  const dates = [
    `${year}-${two}(?:-${two})?`,
    `${year}/${two}/${two}`,
    `${two}/${two}/${year}`,
    `${year}[0-9]{4}`,
    `(?:[a-z]{3,9},? )?${two}[- ]${month}[- ]${year}`,
    `(?:[a-z]{3,9},? )?${month} ${two},? ${year}`,
  ]
  const zone = '(?: ?(?:z|utc|gmt|[-+][01][0-9]:?[0-5][0-9]))?'
  const time = `(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]+)?)?(?: ?[ap]m)?${zone}`
  const compact = `(?:[01][0-9]|2[0-3])[0-5][0-9][0-5][0-9]${zone}`
  return `(?:${dates.join('|')})(?:[t ] ?(?:${time}|${compact}))?|${year}|[0-9]{10}(?:[.][0-9]+)?|[0-9]{13}|[0-9]{16}|[0-9]{19}`
})()

/** All of a text that is one. */
export const TIME_PATTERN = `(?i)^(?:${TIME_FORMS})$`
