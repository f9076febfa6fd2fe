/**
 * Times as git, `date`, CIs, Go, Java, Python, PowerShell and JavaScript print them, read exactly or not at all: an order of day and month,
 * or a zone, that could mean several instants is refused with the reason.
 */
import { parseEpoch } from '@deployment-annotations/contract/epoch'
import { formatTimestamp, parseTimestamp } from '@deployment-annotations/contract/timestamp'

interface ForeignTime {
  /** RFC 3339 in UTC; absent where the text cannot be read. */
  time?: string
  /** Whether no zone was said, so that UTC is an assumption. */
  isZoneless?: boolean
  /** Why it cannot be read. */
  reason?: string
}

const MONTHS =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const YEAR = String.raw`(?<year>\d{4}|\d\d)`
const MONTH = String.raw`(?<month>${MONTHS})\.?`
const DAY = String.raw`(?<day>\d{1,2})`
const WEEKDAY = String.raw`(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,? +)?`
const TIME = String.raw`(?<hour>\d{1,2})(?<colon>[:.])(?<minute>\d\d)(?:\k<colon>(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?(?: *(?<half>[ap])\.?m\b\.?)?`
const ZONE = String.raw`(?: *(?:(?:utc?|gmt)?(?<offset>[+-]\d{1,2}(?::?\d\d)?)|(?<zone>[a-z][a-z/_]*)))`
const YEAR_FIRST = String.raw`(?<year>\d{4})(?<dash>[-/.])(?<month>\d\d?)\k<dash>(?<day>\d\d?)`

/** The orders that name the month, or begin with the year; each with an example. */
const FORMS = [
  // 2026-11-26 17:50:16.5 +0100, Thu 2026-11-26 17:50:16 UTC, and a date alone
  `${WEEKDAY}${YEAR_FIRST}(?:[t ,]+${TIME}${ZONE}?)?`,
  // 2026-11-26T17+01:00
  `${YEAR_FIRST}t(?<hour>\\d\\d)${ZONE}`,
  // 2026-11-26_17-50-16
  `${YEAR_FIRST}[_t](?<hour>\\d\\d)-(?<minute>\\d\\d)-(?<second>\\d\\d)`,
  // 20261126175016, 20261126-175016, 20261126T1750Z
  `(?<year>\\d{4})(?<month>\\d\\d)(?<day>\\d\\d)(?:[t_-](?<hour>\\d\\d)(?<minute>\\d\\d)|(?<hour2>\\d\\d)(?<minute2>\\d\\d)(?=\\d\\d))(?<second>\\d\\d)?${ZONE}?`,
  // Thu, 26 Nov 2026 17:50:16 +0100; Thursday, 26-Nov-26 16:50:16 GMT; 26/Nov/2026:17:50:16 +0100
  `${WEEKDAY}${DAY}[ /-]${MONTH}[ /-]${YEAR}[ ,:]+${TIME}${ZONE}?`,
  // Thu Nov 26 17:50:16 2026 +0100; Thu Nov 26 16:50:16 UTC 2026
  `${WEEKDAY}${MONTH} +${DAY},? +${TIME}${ZONE}? +${YEAR}${ZONE.replace('<offset>', '<offset2>').replace('<zone>', '<zone2>')}?`,
  // Thu Nov 26 2026 17:50:16 GMT+0100; Thu 26 Nov 2026 04:50:16 PM UTC; Nov 26, 2026, 4:50 PM
  `${WEEKDAY}(?:${MONTH} +${DAY},?|${DAY.replace('<day>', '<day2>')} +${MONTH.replace('<month>', '<month2>')}) +${YEAR}(?:[ ,]+(?:at )?${TIME}${ZONE}?)?`,
].map((form) => new RegExp(`^${form}$`, 'i'))

/** Hours ahead of UTC, by RFC 822. Any other abbreviation means several zones. */
const ZONES: Parts = {
  ...{ z: '+00', ut: '+00', utc: '+00', gmt: '+00' },
  ...{ edt: '-04', est: '-05', cdt: '-05', cst: '-06', mdt: '-06', mst: '-07', pdt: '-07', pst: '-08' },
}

type Parts = Readonly<Record<string, string | undefined>>

/** A number of twelve digits that may be a date and the time of its day, or milliseconds of the years before 2002. */
const UNCLEAR_NUMBER = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d$/

/** @param text without whitespace around it */
export function readForeignTime(text: string): ForeignTime {
  const plain = text.replace(/\s+/g, ' ').replace(/\u2212/g, '-')
  if (UNCLEAR_NUMBER.test(plain)) return { reason: 'it may be a date without separators, or milliseconds since 1970' }
  if (/^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b/.test(plain))
    return { reason: 'it does not say whether its day or its month comes first' }
  // Since the epoch, down to nanoseconds, and in git's raw form, whose zone says nothing more.
  const [, epoch] = /^@?((?:\d{9,13}|\d{15,19})(?:\.\d+)?)(?: [+-]\d{4})?$/.exec(plain) ?? []
  if (epoch !== undefined) return { time: formatTimestamp(parseEpoch(epoch) ?? 0n) }
  // What follows the zone says nothing new: the zone's name after its offset, and a reading of Go's monotonic clock.
  const [, head = '', name = ''] = /^((?:[^([]*[^ ([])?)( ?(?:\(.*\)|\[.*\]))?$/.exec(plain.replace(/ m=[+-][\d.]+$/, '')) ?? []
  const written = head.replace(/([+-]\d\d:?\d\d) [a-z+-][a-z\d+-]*$/i, '$1')
  const part: Parts | undefined = FORMS.map((form) => form.exec(written)?.groups).find((groups) => groups !== undefined)
  if (part === undefined) return {}
  const zone = part.zone ?? part.zone2 ?? ''
  const offset = part.offset ?? part.offset2 ?? ZONES[zone.toLowerCase()]
  const unknown = zone || name.trim()
  if (offset === undefined && unknown !== '')
    return { reason: `${unknown} is no zone with one offset: write that, such as +01:00` }
  const ns = parseTimestamp(formatLocal(part) + (offset ?? 'Z').replace(/^(.)(\d)(?=:|$)/, '$10$2'))
  return ns === undefined ? {} : { time: formatTimestamp(ns), isZoneless: offset === undefined }
}

function formatLocal(part: Parts): string {
  const { year = '', month = part.month2 ?? '', day = part.day2 ?? '', second = '0', fraction = '0', half = '' } = part
  const number = Number(month) || 1 + MONTHS.split('|').findIndex((name) => name.startsWith(month.slice(0, 3).toLowerCase()))
  // Years of two digits are read as RFC 2822 says.
  const century = year.length === 4 ? '' : Number(year) < 50 ? '20' : '19'
  const hour = Number(part.hour ?? part.hour2 ?? '0')
  // On a clock of twelve hours there is no hour 0 and no 13th: those become one that no day has.
  const hourOfDay = half === '' ? hour : hour < 1 || hour > 12 ? 99 : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const clock = [hourOfDay, part.minute ?? part.minute2 ?? '0', second].map(pad).join(':')
  return `${century}${year}-${pad(number)}-${pad(day)}T${clock}.${fraction.slice(0, 9)}`
}

const pad = (part: number | string) => String(part).padStart(2, '0')
