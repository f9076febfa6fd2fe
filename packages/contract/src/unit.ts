/**
 * What numbers count: the units of charts, and which of them the name of a field tells. OpenTelemetry's names are those of its semantic
 * conventions (opentelemetry.io/docs/specs/semconv, read in 2026), whose durations are seconds.
 * Deliberately not here: any look at values. A name that says nothing is not guessed at.
 */
import { UNIT_NS } from './duration.ts'

/** `percent` is of 100, `fraction` of 1. */
export const VALUE_UNITS = ['none', 'bytes', 'ns', 'us', 'ms', 's', 'percent', 'fraction'] as const
export type Unit = (typeof VALUE_UNITS)[number]

/** The last words of names that tell the unit. */
const LAST_WORDS: readonly (readonly [Unit, readonly string[]])[] = [
  ['ns', ['ns', 'nanos', 'nanosecond', 'nanoseconds']],
  ['us', ['us', 'usec', 'micros', 'microsecond', 'microseconds']],
  ['ms', ['ms', 'msec', 'msecs', 'millis', 'millisecond', 'milliseconds']],
  ['s', ['sec', 'secs', 'second', 'seconds']],
  ['bytes', ['bytes']],
  ['percent', ['percent', 'pct']],
]

/** Words behind the unit that say which of the values it is. */
const STATISTICS = new Set(['total', 'sum', 'avg', 'mean', 'max', 'min', 'median', 'sent', 'received', 'read', 'written'])
/** `_s` alone is a unit only behind what has a length. */
const LENGTHS = new Set(['duration', 'latency', 'elapsed', 'uptime', 'delay', 'wait', 'took', 'time', 'timeout'])

/**
 * Names that end so, anywhere below one of the systems. The end is looked for first, because a search for the systems would read the rest of
 * a long name again for each of them that it has.
 */
const below = (systems: string, end: string) => new RegExp(`(?:${end})$(?<=(?:^|\\.)(?:${systems})\\.(?:\\w+\\.)*(?:${end}))`)

/** Names of OpenTelemetry, whole or their end. */
const CONVENTIONS: readonly (readonly [RegExp, Unit])[] = [
  // Those of before 2023, in milliseconds.
  [/(?:^|\.)(?:http|rpc)\.(?:server|client)\.duration$/, 'ms'],
  [below('http|db|rpc|messaging|gen_ai|dns|jvm|faas|kestrel|aspnetcore|signalr|mcp', 'duration'), 's'],
  [/(?:^|\.)db\.client\.connection\.(?:create|wait|use)_time$/, 's'],
  [/(?:^|\.)(?:process|system|container|k8s\.pod|k8s\.node)\.(?:cpu\.time|uptime)$/, 's'],
  [below('http|rpc|messaging', '(?:body|request|response)\\.size'), 'bytes'],
  [/(?:^|\.)http\.(?:request|response)_content_length$/, 'bytes'],
  [
    /(?:^|\.)(?:system|process|container|jvm|k8s\.pod|k8s\.node)\.memory\.(?:usage|used|limit|committed|virtual|rss|working_set)$/,
    'bytes',
  ],
  [/(?:^|\.)(?:system|process|container|k8s\.pod|k8s\.node)\.(?:network|disk)\.io$/, 'bytes'],
  [below('system|process|container|jvm', 'utilization'), 'fraction'],
]

/**
 * @param field its name; its keys are separated by dots
 * @param hasField whether the same events have a field
 * @returns `undefined` where the name does not tell
 */
export function unitOfField(field: string, hasField: (name: string) => boolean = () => false): Unit | undefined {
  // A dot inside of a key, as OpenTelemetry's names have them.
  const name = field.replaceAll('\\.', '.')
  // The spans of traces, whose lengths are nanoseconds.
  if (name === 'duration' && hasField('trace_id') && hasField('span_id')) return 'ns'
  const known = CONVENTIONS.find(([pattern]) => pattern.test(name))?.[1]
  if (known) return known
  const words = wordsOf(name)
  while (words.length > 1 && (STATISTICS.has(words.at(-1) as string) || /^p\d+$/.test(words.at(-1) as string))) words.pop()
  const [before, last] = [words.at(-2), words.at(-1) as string]
  // The first, the second; or that of a minute.
  if (before === 'per' || (before === undefined && last === 'second')) return undefined
  if (last === 's') return before !== undefined && LENGTHS.has(before) ? 's' : undefined
  return LAST_WORDS.find(([, names]) => names.includes(last))?.[0]
}

/** Of the last key: `bodyBytes`, `duration_ms` and `duration-ms` are two words each. */
function wordsOf(name: string): string[] {
  const key = name.slice(name.lastIndexOf('.') + 1)
  return key
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

/** What an aggregated column of an answer counts, as far as the name of its field tells. */
export function unitOfAggregation(
  agg: { readonly name: string; readonly fields?: readonly string[] } | undefined,
): Unit | undefined {
  const [field] = agg?.fields ?? []
  return agg && field !== undefined && keepsUnit(agg.name) ? unitOfField(field) : undefined
}

/** @param aggregation as an answer or a query names it @returns whether its result counts what its first field counts */
export function keepsUnit(aggregation: string): boolean {
  return /^(?:avg|sum|min|max|percentiles?|stdev|stddev|median)(?:if)?$/.test(aggregation)
}

/** The units that values are shown in, the largest first: the name, the size, and the smallest value that is shown in it. */
type Scale = readonly (readonly [name: string, size: number, from: number])[]
const BYTES: Scale = [
  ...['PB', 'TB', 'GB', 'MB', 'kB'].map((name, at) => [name, 1e3 ** (5 - at), 1e3 ** (5 - at)] as const),
  ['B', 1, 0],
]
const DURATION: Scale = [
  ['d', 86_400e9, 2 * 86_400e9],
  ['h', 3_600e9, 2 * 3_600e9],
  ['min', 60e9, 120e9],
  ['s', 1e9, 1e9],
  ['ms', 1e6, 1e6],
  ['µs', 1e3, 1e3],
  ['ns', 1, 0],
]

/**
 * @param format of the number before the unit
 * @returns such as `1.23 MB`, `12.5 min`, `3.4 %`; the number alone without a unit
 */
export function showInUnit(value: number, unit: Unit, format: (value: number) => string): string {
  if (unit === 'none') return format(value)
  if (unit === 'percent' || unit === 'fraction') return `${format(unit === 'percent' ? value : value * 100)} %`
  const ns = nanosecondsOf(unit)
  const [scale, whole] = ns === undefined ? [BYTES, value] : [DURATION, value * Number(ns)]
  // Zero is shown without a unit.
  const [name, size] = scale.find(([, , from]) => Math.abs(whole) >= from && whole !== 0) ?? ['', 1]
  return name === '' ? format(0) : `${format(whole / size)} ${name}`
}

/** Nanoseconds of one, for units of time. */
export function nanosecondsOf(unit: Unit): bigint | undefined {
  return unit === 'ns' || unit === 'us' || unit === 'ms' || unit === 's' ? UNIT_NS[unit] : undefined
}
