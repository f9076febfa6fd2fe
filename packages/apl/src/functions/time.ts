/**
 * Functions on points in time and timespans. Everything is UTC; days begin at midnight, weeks on Sunday.
 * Calendar steps go through Date32, which holds every year the time column does; the engine's plain `toStartOf…` do not.
 * Deliberately not here: time zones.
 */
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { CompileError } from '../error.ts'
import { parseDatetime } from '../literal.ts'
import { typed, type Value } from '../value.ts'
import { direct, type FunctionDefinition, type FunctionTable, type Invocation, special } from './definition.ts'

const midnight = (date: string) => `toDateTime64(${date}, 9, 'UTC')`
const date = (time: string) => `toDate32(${time}, 'UTC')`
/** First day of the period, as Date32, `offset` periods on. */
const STARTS: Record<string, (time: string, offset: string) => string> = {
  day: (time, offset) => `addDays(${date(time)}, ${offset})`,
  week: (time, offset) => `addDays(${date(time)}, 7 * (${offset}) - toDayOfWeek(${date(time)}, 3) + 1)`,
  month: (time, offset) => `addMonths(makeDate32(toYear(${time}), toMonth(${time}), 1), ${offset})`,
  year: (time, offset) => `makeDate32(toYear(${time}) + (${offset}), 1, 1)`,
}
const offsetSql = (offset: string | undefined) => (offset === undefined ? '0' : `ifNull(${offset}, 0)`)
const startOf = (period: string) =>
  direct('time integer?', 'datetime', (time, offset) => midnight(STARTS[period]?.(time as string, offsetSql(offset)) as string))
/** The last nanosecond of the period. */
const endOf = (period: string) =>
  direct(
    'time integer?',
    'datetime',
    (time, offset) =>
      `subtractNanoseconds(${midnight(STARTS[period]?.(time as string, `${offsetSql(offset)} + 1`) as string)}, 1)`,
  )
const part = (sql: (time: string) => string) => direct('time', 'integer', (time) => `toInt64(${sql(time as string)})`)

const PARTS: Record<string, (time: string) => string> = {
  year: (time) => `toYear(${time})`,
  quarter: (time) => `toQuarter(${time})`,
  month: (time) => `toMonth(${time})`,
  week_of_year: (time) => `toISOWeek(${time})`,
  week: (time) => `toISOWeek(${time})`,
  day: (time) => `toDayOfMonth(${time})`,
  dayofyear: (time) => `toDayOfYear(${time})`,
  hour: (time) => `toHour(${time})`,
  minute: (time) => `toMinute(${time})`,
  second: (time) => `toSecond(${time})`,
  millisecond: (time) => `intDiv(positiveModulo(toUnixTimestamp64Nano(${time}), 1000000000), 1000000)`,
  microsecond: (time) => `intDiv(positiveModulo(toUnixTimestamp64Nano(${time}), 1000000000), 1000)`,
  nanosecond: (time) => `positiveModulo(toUnixTimestamp64Nano(${time}), 1000000000)`,
}

/** Units of a length that is always the same. */
const FIXED: Record<string, bigint> = {
  week: UNIT_NS.w,
  day: UNIT_NS.d,
  hour: UNIT_NS.h,
  minute: UNIT_NS.m,
  second: UNIT_NS.s,
  millisecond: UNIT_NS.ms,
  microsecond: UNIT_NS.us,
  nanosecond: UNIT_NS.ns,
}
const CALENDAR = ['year', 'quarter', 'month']

/** The unit argument: a constant, in any case, singular or plural. */
function unit({ call, context }: Invocation, allowed: readonly string[]): string {
  const node = call.arguments[0] as (typeof call.arguments)[0]
  const literal = context.constant(node, `the unit of ${call.name}()`)
  const name = literal.type === 'string' ? literal.value.toLowerCase().replace(/s$/, '') : ''
  if (!allowed.includes(name))
    throw new CompileError('type_mismatch', `${call.name}() does not know this unit`, node.span, `one of ${allowed.join(', ')}`)
  return name
}

const capital = (word: string) => `${word[0]?.toUpperCase()}${word.slice(1)}s`

const datetimeAdd = special('text integer time', (invocation) => {
  const name = unit(invocation, [...CALENDAR, ...Object.keys(FIXED)])
  const [, amount, time] = invocation.arguments as [Value, Value, Value]
  return typed('datetime', `add${capital(name)}(${time.as('time')}, ${amount.as('integer')})`)
})

const datetimeDiff = special('text time time', (invocation) => {
  const name = unit(invocation, [...CALENDAR, ...Object.keys(FIXED)])
  const [, later, earlier] = invocation.arguments as [Value, Value, Value]
  const { binder } = invocation.context
  const [a, b] = [later.as('time'), earlier.as('time')]
  if (CALENDAR.includes(name)) return typed('integer', `toInt64(dateDiff('${name}', ${b}, ${a}))`)
  // Boundaries crossed, not whole units elapsed: both ends are rounded down first.
  const steps = (time: string) =>
    `intDiv(toUnixTimestamp64Nano(${time}) - positiveModulo(toUnixTimestamp64Nano(${time}), ${size}), ${size})`
  const size = binder.integer(FIXED[name] as bigint)
  return typed('integer', `(${steps(a)} - ${steps(b)})`)
})

const ago = special('span', ({ arguments: [span], context }) => {
  if (span?.literal?.type === 'timespan') return context.literal({ type: 'datetime', ns: context.nowNs - span.literal.ns })
  return typed('datetime', `fromUnixTimestamp64Nano(${context.binder.integer(context.nowNs)} - ${span?.as('span')}, 'UTC')`)
})

const now = special('span?', ({ arguments: [offset], context }) => {
  if (offset === undefined) return context.literal({ type: 'datetime', ns: context.nowNs })
  if (offset.literal?.type === 'timespan') return context.literal({ type: 'datetime', ns: context.nowNs + offset.literal.ns })
  return typed('datetime', `fromUnixTimestamp64Nano(${context.binder.integer(context.nowNs)} + ${offset.as('span')}, 'UTC')`)
})

const toDatetime = special('any', ({ arguments: [value], call, context }) => {
  if (value?.literal?.type !== 'string') return typed('datetime', (value as Value).as('time'))
  const time = parseDatetime(value.literal.value)
  if (!time)
    throw new CompileError(
      'type_mismatch',
      `"${value.literal.value.slice(0, 40)}" is not a point in time`,
      (call.arguments[0] as (typeof call.arguments)[0]).span,
    )
  return context.literal(time)
})

const fromUnix = (ns: string): FunctionDefinition =>
  direct('number', 'datetime', (x) => `fromUnixTimestamp64Nano(accurateCastOrNull(trunc(${x} * ${ns}), 'Int64'), 'UTC')`)

export const TIME_FUNCTIONS: FunctionTable = {
  now,
  ago,
  datetime: toDatetime,
  todatetime: toDatetime,
  startofday: startOf('day'),
  startofweek: startOf('week'),
  startofmonth: startOf('month'),
  startofyear: startOf('year'),
  endofday: endOf('day'),
  endofweek: endOf('week'),
  endofmonth: endOf('month'),
  endofyear: endOf('year'),
  hourofday: part((time) => `toHour(${time})`),
  dayofmonth: part((time) => `toDayOfMonth(${time})`),
  dayofyear: part((time) => `toDayOfYear(${time})`),
  monthofyear: part((time) => `toMonth(${time})`),
  getmonth: part((time) => `toMonth(${time})`),
  getyear: part((time) => `toYear(${time})`),
  week_of_year: part((time) => `toISOWeek(${time})`),
  dayofweek: direct('time', 'timespan', (time) => `(toInt64(toDayOfWeek(${time}, 3)) - 1) * ${UNIT_NS.d}`),
  datetime_part: special('text time', (invocation) =>
    typed('integer', `toInt64(${PARTS[unit(invocation, Object.keys(PARTS))]?.((invocation.arguments[1] as Value).as('time'))})`),
  ),
  datetime_add: datetimeAdd,
  datetime_diff: datetimeDiff,
  unixtime_seconds_todatetime: fromUnix('1000000000'),
  unixtime_milliseconds_todatetime: fromUnix('1000000'),
  unixtime_microseconds_todatetime: fromUnix('1000'),
  unixtime_nanoseconds_todatetime: fromUnix('1'),
}
