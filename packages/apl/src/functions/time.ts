/**
 * Functions on points in time and timespans. Everything is UTC; days begin at midnight, weeks on Sunday.
 * Deliberately not here: time zones, and where periods begin and end (`periods.ts`).
 */
import { mismatch } from '../error.ts'
import { timeOfNs, typed, type Value } from '../sql/value.ts'
import { parseDatetime, unitNs } from '../text/literal.ts'
import { calculate } from '../values/arithmetic.ts'
import { direct, type FunctionDefinition, type FunctionTable, type Invocation, nameArgument, special } from './definition.ts'
import { bounded, date, endOf, FIRST_SUNDAY_NS, ns, startOf } from './periods.ts'

const part = (sql: (time: string) => string) => direct('time:time', 'integer', (time) => `toInt64(${sql(time as string)})`)

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
const FIXED = ['week', 'day', 'hour', 'minute', 'second', 'millisecond', 'microsecond', 'nanosecond']
const CALENDAR = ['year', 'quarter', 'month']

/** The unit argument: a constant, in any case, singular or plural. */
function unit(invocation: Invocation, allowed: readonly string[]): string {
  const { call, context } = invocation
  const node = call.arguments[0] as (typeof call.arguments)[0]
  const literal = context.constant(node, nameArgument(invocation, 0))
  const name = literal.type === 'string' ? literal.value.toLowerCase().replace(/s$/, '') : ''
  if (!allowed.includes(name))
    throw mismatch(`${nameArgument(invocation, 0)} must be a unit of time`, node.span, `one of ${allowed.join(', ')}`)
  return name
}

const capital = (word: string) => `${word[0]?.toUpperCase()}${word.slice(1)}s`

const datetimeAdd = special('part:text amount:integer time:time', (invocation) => {
  const name = unit(invocation, [...CALENDAR, ...FIXED])
  const [, amount, time] = invocation.arguments as [Value, Value, Value]
  const [count, from] = [amount.as('integer'), time.as('time')]
  if (FIXED.includes(name))
    return typed('datetime', timeOfNs(`toInt128(toUnixTimestamp64Nano(${from})) + toInt128(${count}) * ${unitNs(name)}`))
  const moved = (value: string) => `add${capital(name)}(${value}, ${bounded(count)})`
  return typed(
    'datetime',
    `if(isNotNull(${count}) AND ${moved(date(from))} BETWEEN '1900-01-01' AND '2262-04-10', ${moved(from)}, NULL)`,
  )
})

const datetimeDiff = special('part:text time1:time time2:time', (invocation) => {
  const name = unit(invocation, [...CALENDAR, ...FIXED])
  const [, later, earlier] = invocation.arguments as [Value, Value, Value]
  const { binder } = invocation.context
  const [a, b] = [later.as('time'), earlier.as('time')]
  if (CALENDAR.includes(name)) return typed('integer', `toInt64(dateDiff('${name}', ${b}, ${a}))`)
  // Boundaries crossed, not whole units elapsed: both ends are rounded down first.
  const size = binder.integer(unitNs(name) as bigint)
  const since = (time: string) => (name === 'week' ? `${ns(time)} + ${FIRST_SUNDAY_NS}` : ns(time))
  const steps = (time: string) => `intDiv(${since(time)} - positiveModulo(${since(time)}, ${size}), ${size})`
  return typed('integer', `(${steps(a)} - ${steps(b)})`)
})

/** The time of the query, moved by a timespan. */
function nowMoved(operator: '+' | '-', span: Value, { context, call }: Invocation): Value {
  const left = context.literal({ type: 'datetime', ns: context.nowNs })
  const right = span.kind === 'timespan' ? span : typed('timespan', span.as('span'))
  return calculate({ operator, left, right, context, span: call.span })
}

const ago = special('timespan:span', (invocation) => nowMoved('-', invocation.argument(0), invocation))

const now = special('offset:span?', (invocation) =>
  invocation.call.arguments.length === 0
    ? invocation.context.literal({ type: 'datetime', ns: invocation.context.nowNs })
    : nowMoved('+', invocation.argument(0), invocation),
)

const toDatetime = special('value:any', ({ arguments: [value], call, context }) => {
  if (value?.literal?.type !== 'string') return typed('datetime', (value as Value).as('time'))
  const time = parseDatetime(value.literal.value)
  if (!time)
    throw mismatch(
      `"${value.literal.value.slice(0, 40)}" is not a point in time`,
      (call.arguments[0] as (typeof call.arguments)[0]).span,
    )
  return context.time(time.ns, call.span)
})

/** Whole numbers are not read as floats, which have no nanoseconds of today. */
const fromUnix = (unit: string): FunctionDefinition =>
  special(`${unit}:number`, ({ arguments: [value] }) => {
    const [since, ns] = [value as Value, unitNs(unit)]
    const isWhole = since.kind === 'integer'
    return typed(
      'datetime',
      timeOfNs(isWhole ? `toInt128(${since.as('plain')}) * ${ns}` : `trunc(toFloat64(${since.as('number')}) * ${ns})`),
    )
  })

/** The first second of 2026 since 1970. */
const NEW_YEAR = 1_767_225_600n

const UNIX_FUNCTIONS: FunctionTable = Object.fromEntries(
  ['seconds', 'milliseconds', 'microseconds', 'nanoseconds'].map((unit) => {
    const count = (NEW_YEAR * (unitNs('s') as bigint)) / (unitNs(unit) as bigint)
    const name = `unixtime_${unit}_todatetime`
    return [name, fromUnix(unit).shows(`${name}(${count})`, '2026-01-01T00:00:00Z')]
  }),
)

export const TIME_FUNCTIONS: FunctionTable = {
  now: now.shows('now() > ago(1h)', true),
  ago: ago.shows('now() - ago(1h) == 1h', true),
  datetime: toDatetime.shows('datetime(2026-01-31)', '2026-01-31T00:00:00Z'),
  todatetime: toDatetime.shows("todatetime('2026-01-31')", '2026-01-31T00:00:00Z'),
  startofday: startOf('day').shows('startofday(datetime(2026-01-31T12:34:56Z))', '2026-01-31T00:00:00Z'),
  startofweek: startOf('week').shows('startofweek(datetime(2026-01-31T12:34:56Z))', '2026-01-25T00:00:00Z'),
  startofmonth: startOf('month').shows('startofmonth(datetime(2026-01-31T12:34:56Z))', '2026-01-01T00:00:00Z'),
  startofyear: startOf('year').shows('startofyear(datetime(2026-01-31T12:34:56Z))', '2026-01-01T00:00:00Z'),
  endofday: endOf('day').shows('endofday(datetime(2026-01-31T12:34:56Z))', '2026-01-31T23:59:59.999999999Z'),
  endofweek: endOf('week').shows('endofweek(datetime(2026-01-31T12:34:56Z))', '2026-01-31T23:59:59.999999999Z'),
  endofmonth: endOf('month').shows('endofmonth(datetime(2026-01-31T12:34:56Z))', '2026-01-31T23:59:59.999999999Z'),
  endofyear: endOf('year').shows('endofyear(datetime(2026-01-31T12:34:56Z))', '2026-12-31T23:59:59.999999999Z'),
  hourofday: part((time) => `toHour(${time})`).shows('hourofday(datetime(2026-01-31T12:34:56Z))', 12),
  dayofmonth: part((time) => `toDayOfMonth(${time})`).shows('dayofmonth(datetime(2026-01-31T12:34:56Z))', 31),
  dayofyear: part((time) => `toDayOfYear(${time})`).shows('dayofyear(datetime(2026-02-01))', 32),
  monthofyear: part((time) => `toMonth(${time})`).shows('monthofyear(datetime(2026-02-01))', 2),
  getmonth: part((time) => `toMonth(${time})`).shows('getmonth(datetime(2026-02-01))', 2),
  getyear: part((time) => `toYear(${time})`).shows('getyear(datetime(2026-02-01))', 2026),
  week_of_year: part((time) => `toISOWeek(${time})`).shows('week_of_year(datetime(2026-02-01))', 5),
  // From 0, Sunday. In Kusto it is a timespan of whole days.
  dayofweek: special('time:time', ({ arguments: [time] }) => ({
    ...typed('integer', `toInt64(toDayOfWeek(${(time as Value).as('time')}, 3) - 1)`),
    quantity: { unit: 'd' },
  })).shows('dayofweek(datetime(2026-02-01))', 0),
  datetime_part: special('part:text time:time', (invocation) =>
    typed('integer', `toInt64(${PARTS[unit(invocation, Object.keys(PARTS))]?.((invocation.arguments[1] as Value).as('time'))})`),
  ).shows("datetime_part('quarter', datetime(2026-08-01))", 3),
  datetime_add: datetimeAdd.shows("datetime_add('month', 1, datetime(2026-01-31))", '2026-02-28T00:00:00Z'),
  datetime_diff: datetimeDiff.shows("datetime_diff('day', datetime(2026-02-01), datetime(2026-01-31))", 1),
  ...UNIX_FUNCTIONS,
}
