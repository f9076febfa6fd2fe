/**
 * Reads times in a Go reference layout (`timestamp-format`), for example `02/Jan/2006:15:04:05 -0700`.
 * A layout becomes one regular expression with a named group per element. Zone abbreviations other than UTC and GMT are not read: Go
 * itself would take them for an offset of zero.
 */

export interface TimeLayout {
  /** The layout as the request spells it. */
  text: string
  /** @returns nanoseconds since the epoch; `undefined` if the text does not match */
  parse(text: string): bigint | undefined
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const DAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const shortNames = (names: string[]) => names.map((name) => name.slice(0, 3)).join('|')

/** The elements of a layout. If one is the beginning of another, the longer one comes first. */
const ELEMENTS: readonly [element: string, name: string, pattern: string][] = [
  ['January', 'monthName', MONTHS.join('|')],
  ['Jan', 'monthShort', shortNames(MONTHS)],
  ['Monday', '', `(?:${DAYS.join('|')})`],
  ['Mon', '', `(?:${shortNames(DAYS)})`],
  ['MST', 'zone', 'utc|gmt|z'],
  ['2006', 'year', '\\d{4}'],
  ['__2', 'yearDay', ' {0,2}\\d{1,3}'],
  ['002', 'yearDay', '\\d{3}'],
  ['01', 'month', '\\d{2}'],
  ['02', 'day', '\\d{2}'],
  ['03', 'hour12', '\\d{2}'],
  ['04', 'minute', '\\d{2}'],
  ['05', 'second', '\\d{2}(?:[.,]\\d{1,9})?'],
  ['06', 'shortYear', '\\d{2}'],
  ['15', 'hour', '\\d{2}'],
  ['PM', 'half', 'am|pm'],
  ['pm', 'half', 'am|pm'],
  ['Z07:00:00', 'offset', 'z|[+-]\\d{2}:\\d{2}:\\d{2}'],
  ['Z07:00', 'offset', 'z|[+-]\\d{2}:\\d{2}'],
  ['Z0700', 'offset', 'z|[+-]\\d{4}'],
  ['Z07', 'offset', 'z|[+-]\\d{2}'],
  ['-07:00:00', 'offset', '[+-]\\d{2}:\\d{2}:\\d{2}'],
  ['-07:00', 'offset', '[+-]\\d{2}:\\d{2}'],
  ['-0700', 'offset', '[+-]\\d{4}'],
  ['-07', 'offset', '[+-]\\d{2}'],
  ['_2', 'day', ' ?\\d{1,2}'],
  ['1', 'month', '\\d{1,2}'],
  ['2', 'day', '\\d{1,2}'],
  ['3', 'hour12', '\\d{1,2}'],
  ['4', 'minute', '\\d{1,2}'],
  ['5', 'second', '\\d{1,2}(?:[.,]\\d{1,9})?'],
]

/**
 * @param layout a Go reference layout
 * @returns its parser, or the reason why it is no layout
 */
export function parseLayout(layout: string): TimeLayout | string {
  const names = new Set<string>()
  let pattern = ''
  for (let rest = layout; rest !== ''; ) {
    const fraction = /^[.,](?:0{1,9}|9{1,9})(?!\d)/.exec(rest)?.[0]
    const element = ELEMENTS.find(([spelling]) => rest.startsWith(spelling))
    if (fraction !== undefined && pattern.endsWith('(?:[.,]\\d{1,9})?)')) {
      // Seconds take a fraction whether or not the layout names one, as in Go.
      rest = rest.slice(fraction.length)
    } else if (element) {
      const [spelling, name, body] = element
      if (name !== '' && names.has(name)) return `it has two elements for the ${name}, the second is ${spelling}`
      if (name !== '') names.add(name)
      pattern += name === '' ? body : `(?<${name}>${body})`
      rest = rest.slice(spelling.length)
    } else {
      pattern += (rest[0] as string).replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
      rest = rest.slice(1)
    }
  }
  const has = (...any: string[]) => any.some((name) => names.has(name))
  if (!has('year', 'shortYear')) return 'it has no year (2006); layouts spell the reference time Mon Jan 2 15:04:05 MST 2006'
  if (!has('yearDay') && !(has('month', 'monthName', 'monthShort') && has('day'))) return 'it has no month and day (01 and 02)'
  const shape = new RegExp(`^${pattern}$`, 'i')
  return { text: layout, parse: (text) => read(shape.exec(text)?.groups) }
}

function read(part: Record<string, string | undefined> | undefined): bigint | undefined {
  if (!part) return undefined
  const short = Number(part.shortYear)
  const year = part.year === undefined ? (short >= 69 ? 1900 : 2000) + short : Number(part.year)
  const day = dayOf(part, year)
  const hour = hourOf(part)
  const [minute, secondText = '0'] = [Number(part.minute ?? 0), part.second]
  const [whole = '', fraction = ''] = secondText.split(/[.,]/)
  const offset = offsetSeconds(part.offset)
  if (day === undefined || hour === undefined || minute > 59 || Number(whole) > 59 || offset === undefined) return undefined
  const seconds = day / 1000 + hour * 3_600 + minute * 60 + Number(whole) - offset
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))
}

/** @returns the milliseconds of the day's midnight in UTC */
function dayOf(part: Record<string, string | undefined>, year: number): number | undefined {
  const start = new Date(0)
  if (part.yearDay !== undefined) {
    const ms = start.setUTCFullYear(year, 0, Number(part.yearDay))
    return start.getUTCFullYear() === year && Number(part.yearDay) > 0 ? ms : undefined
  }
  const name = (part.monthName ?? part.monthShort)?.toLowerCase().slice(0, 3)
  const month = name === undefined ? Number(part.month) : MONTHS.findIndex((full) => full.startsWith(name)) + 1
  const day = Number(part.day)
  const ms = start.setUTCFullYear(year, month - 1, day)
  return start.getUTCMonth() === month - 1 && start.getUTCDate() === day ? ms : undefined
}

function hourOf(part: Record<string, string | undefined>): number | undefined {
  if (part.hour12 === undefined) return Number(part.hour ?? 0) < 24 ? Number(part.hour ?? 0) : undefined
  const hour = Number(part.hour12)
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (part.half?.toLowerCase() === 'pm' ? 12 : 0)
}

function offsetSeconds(text: string | undefined): number | undefined {
  if (text === undefined || text.toLowerCase() === 'z') return 0
  const [hours = 0, minutes = 0, seconds = 0] = text.slice(1).replaceAll(':', '').match(/../g)?.map(Number) ?? []
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined
  return (text.startsWith('-') ? -1 : 1) * (hours * 3_600 + minutes * 60 + seconds)
}
