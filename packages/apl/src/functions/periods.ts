/**
 * Where days, weeks, months and years begin and end. Days begin at midnight UTC, weeks on Sunday.
 * A period so many others away goes through Date32, which holds every year the time column does; the engine's plain `toStartOf…` do not.
 * Deliberately not here: parts of a time, such as its hour.
 */
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { typed, type Value } from '../sql/value.ts'
import { direct, special } from './definition.ts'

type PeriodName = 'day' | 'week' | 'month' | 'year'

/** NULL where a time cannot hold the day: Date32 has more years, and beyond them midnight would become another time. */
const heldMidnight = (date: string) => `if(${date} BETWEEN '1900-01-01' AND '2262-04-11', toDateTime64(${date}, 9, 'UTC'), NULL)`
export const date = (time: string) => `toDate32(${time}, 'UTC')`
/** So many periods leave the years that there are, whatever their length; more would overflow the engine's own counting. */
const OFFSET_MAX = 200_000
/** First day of the period, as Date32, `offset` periods on. */
const STARTS: Record<PeriodName, (time: string, offset: string) => string> = {
  day: (time, offset) => `addDays(${date(time)}, ${offset})`,
  week: (time, offset) => `addDays(${date(time)}, 7 * (${offset}) - toDayOfWeek(${date(time)}, 3) + 1)`,
  month: (time, offset) => `addMonths(makeDate32(toYear(${time}), toMonth(${time}), 1), ${offset})`,
  year: (time, offset) => `addYears(makeDate32(toYear(${time}), 1, 1), ${offset})`,
}
export const ns = (time: string) => `toUnixTimestamp64Nano(${time})`
const timeAt = (nanoseconds: string) => `fromUnixTimestamp64Nano(${nanoseconds}, 'UTC')`
const DAY = String(UNIT_NS.d)
/** The engine takes a bare literal for an unsigned one, and its remainder of a time before 1970 is another. */
const floored = (x: string, size: bigint) => `${x} - positiveModulo(${x}, toInt64(${size}))`
/** From a Sunday to 1970-01-01, a Thursday. */
export const FIRST_SUNDAY_NS = 4n * UNIT_NS.d
/** Counted from the Sunday after 1970-01-01: the last times have no room for a number added to them. */
const weekStartNs = (time: string) =>
  `${ns(time)} - positiveModulo(${ns(time)} - ${UNIT_NS.w - FIRST_SUNDAY_NS}, toInt64(${UNIT_NS.w}))`
const monthStartNs = (time: string) => `${floored(ns(time), UNIT_NS.d)} - (toDayOfMonth(${time}) - 1) * ${DAY}`
const yearStartNs = (time: string) => `${floored(ns(time), UNIT_NS.d)} - (toDayOfYear(${time}) - 1) * ${DAY}`

/** A period without an offset is counted in nanoseconds: much quicker than by way of a date. */
interface Period {
  readonly startNs: (time: string) => string
  /** Its last nanosecond. */
  readonly endNs: (time: string) => string
  /** Where the last period begins that ends later than a time can be, in milliseconds since 1970. */
  readonly lastMs: number
}
/** A period that always has the same length. */
const sized = (startNs: Period['startNs'], lengthNs: bigint, lastMs: number): Period => ({
  startNs,
  endNs: (time) => `${startNs(time)} + ${lengthNs - 1n}`,
  lastMs,
})
/** One that has at most so many days: so many after its start is a day of the next. */
const varying = (startNs: Period['startNs'], daysMax: number, lastMs: number): Period => ({
  startNs,
  endNs: (time) => `${startNs(timeAt(`${startNs(time)} + ${daysMax} * ${DAY}`))} - 1`,
  lastMs,
})
const PERIODS: Record<PeriodName, Period> = {
  day: sized((time) => floored(ns(time), UNIT_NS.d), UNIT_NS.d, Date.UTC(2262, 3, 11)),
  week: sized(weekStartNs, UNIT_NS.w, Date.UTC(2262, 3, 6)),
  month: varying(monthStartNs, 31, Date.UTC(2262, 3, 1)),
  year: varying(yearStartNs, 366, Date.UTC(2262, 0, 1)),
}
export const bounded = (offset: string) => `greatest(least(ifNull(${offset}, 0), ${OFFSET_MAX}), -${OFFSET_MAX})`
/** The same of a time that is known now, which may be an end of a series. */
function startOfKnown(period: PeriodName, ns: bigint): bigint {
  const at = new Date(Number(ns / UNIT_NS.ms))
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  const first = { day, week: day - at.getUTCDay(), month: 1, year: 1 }[period]
  return BigInt(Date.UTC(year, period === 'year' ? 0 : month, first)) * UNIT_NS.ms
}

export const startOf = (period: PeriodName) =>
  special('time:time offset:integer?', ({ arguments: [time, offset], context, call }) => {
    const { literal } = time as Value
    if (literal?.type === 'datetime' && literal.ns >= 0n && !offset)
      return context.time(startOfKnown(period, literal.ns), call.span)
    const start = offset
      ? heldMidnight(STARTS[period](time?.as('time') as string, bounded(offset.as('integer'))))
      : timeAt(PERIODS[period].startNs(time?.as('time') as string))
    return typed('datetime', start)
  })
/** The last nanosecond of the period. */
export const endOf = (period: PeriodName) =>
  direct('time:time offset:integer?', 'datetime', (time, offset) => {
    const { endNs, lastMs } = PERIODS[period]
    if (offset !== undefined)
      return `subtractNanoseconds(${heldMidnight(STARTS[period](time as string, `${bounded(offset)} + 1`))}, 1)`
    return `if(${ns(time as string)} < ${lastMs}000000, ${timeAt(endNs(time as string))}, NULL)`
  })
