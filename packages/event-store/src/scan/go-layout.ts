/**
 * Reads times in a Go reference layout (`timestamp-format`), for example `02/Jan/2006:15:04:05 -0700`.
 * A layout becomes one regular expression with a named group per element. Zone abbreviations other than UTC and GMT are not read: Go
 * itself would take them for an offset of zero.
 */
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'

export interface TimeLayout {
  /** The layout as the request spells it. */
  text: string
  /** @returns nanoseconds since the epoch; `undefined` if the text does not match */
  parse(text: string): bigint | undefined
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const DAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const shortNames = (names: string[]) => names.map((name) => name.slice(0, 3)).join('|')
/** Seconds take a fraction whether or not the layout names one, as in Go. */
const FRACTION = '(?:[.,]\\d{1,9})?'
/** The elements that a digit stands for, from 1 on. */
const NUMBERS = ['month', 'day', 'hour12', 'minute', 'second']

type Element = [spelling: string, name: string, pattern: string]

/** The elements of a layout. If one is the beginning of another, the longer one comes first. */
const ELEMENTS: readonly Element[] = [
  ['January', 'month', MONTHS.join('|')],
  ['Jan', 'month', shortNames(MONTHS)],
  ['Monday', '', `(?:${DAYS.join('|')})`],
  ['Mon', '', `(?:${shortNames(DAYS)})`],
  ['MST', 'zone', 'utc|gmt|z'],
  ['2006', 'year', '\\d{4}'],
  ['06', 'year', '\\d{2}'],
  ['__2', 'yearDay', ' {0,2}\\d{1,3}'],
  ['002', 'yearDay', '\\d{3}'],
  ['_2', 'day', ' ?\\d{1,2}'],
  ['15', 'hour', '\\d{2}'],
  ['PM', 'half', 'am|pm'],
  ['pm', 'half', 'am|pm'],
  ...['07:00', '0700', '07'].flatMap((digits): Element[] => {
    const offset = `[+-]${digits.replaceAll(/\d{2}/g, '\\d{2}')}`
    return [
      [`Z${digits}`, 'offset', `z|${offset}`],
      [`-${digits}`, 'offset', offset],
    ]
  }),
  ...['0', ''].flatMap((zero) =>
    NUMBERS.map((name, index): Element => {
      const digits = zero === '0' ? '\\d{2}' : '\\d{1,2}'
      return [`${zero}${index + 1}`, name, name === 'second' ? digits + FRACTION : digits]
    }),
  ),
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
    if (fraction !== undefined && pattern.endsWith(`${FRACTION})`)) rest = rest.slice(fraction.length)
    else if (element) {
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
  if (!names.has('year')) return 'it has no year (2006); layouts spell the reference time Mon Jan 2 15:04:05 MST 2006'
  if (!names.has('yearDay') && !(names.has('month') && names.has('day'))) return 'it has no month and day (01 and 02)'
  const shape = new RegExp(`^${pattern}$`, 'i')
  return { text: layout, parse: (text) => read(shape.exec(text)?.groups) }
}

function read(part: Record<string, string | undefined> | undefined): bigint | undefined {
  if (!part) return undefined
  const { year = '', month = '', day, yearDay, minute, second, offset = 'Z' } = part
  const century = year.length > 2 ? '' : year >= '69' ? '19' : '20'
  const named = MONTHS.findIndex((name) => month !== '' && name.startsWith(month.toLowerCase())) + 1
  const date =
    yearDay === undefined ? `${twoDigits(named ? String(named) : month)}-${twoDigits(day)}` : dateOf(century + year, yearDay)
  return parseTimestamp(`${century}${year}-${date}T${hourOf(part)}:${twoDigits(minute)}:${twoDigits(second)}${offset}`)
}

const twoDigits = (text = '0') => text.trim().replace(/^\d(?!\d)/, '0$&')

/** @returns month and day, or what is none where the year has no such day */
function dateOf(year: string, yearDay: string): string {
  const date = new Date(Date.UTC(Number(year), 0, Number(yearDay))).toISOString()
  return date.startsWith(`${year}-`) ? date.slice('yyyy-'.length, 'yyyy-mm-dd'.length) : ''
}

/** @returns two digits, or what is none where the half of a day has no such hour */
function hourOf({ hour, hour12, half }: Record<string, string | undefined>): string {
  if (hour12 === undefined) return twoDigits(hour)
  const isHour = Number(hour12) >= 1 && Number(hour12) <= 12
  return isHour ? twoDigits(String((Number(hour12) % 12) + (half?.toLowerCase() === 'pm' ? 12 : 0))) : ''
}
