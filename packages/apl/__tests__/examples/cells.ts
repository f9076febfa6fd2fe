/**
 * Cells as documentation prints them: read into values that can be stored, and compared with those of an answer. Pages round, abbreviate
 * and quote as they like, so a comparison also says in which way the two are the same.
 * Deliberately not here: queries.
 */
import { isDeepStrictEqual } from 'node:util'

/** How a printed cell and a found one are the same; `undefined`: they are not. */
export type Likeness = 'equal' | 'rounded' | 'written otherwise'

/** The text of a printed cell, without the marks of the page around it. */
export function unmarked(printed: string): string {
  return printed
    .trim()
    .replace(/^`(.*)`$/s, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\\([{}[\]|<>*_~])/g, '$1')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
}

const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|\+00:00)?)?$/

/** A printed time as nanoseconds; pages leave out the zone, and mean UTC. */
export function timeNsOf(printed: string): bigint | undefined {
  if (!TIME.test(printed)) return undefined
  const [date = '', clock = '00:00:00'] = printed.replace(/Z$|\+00:00$/, '').split(/[T ]/)
  const [seconds = '', fraction = ''] = (clock.length === 5 ? `${clock}:00` : clock).split('.')
  const ms = Date.parse(`${date}T${seconds}Z`)
  return Number.isNaN(ms) ? undefined : BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9))
}

/** The value that was probably stored: a number, a truth, JSON or a text; `undefined` where nothing was. */
export function storedOf(printed: string): unknown {
  const text = unmarked(printed)
  if (text === '' || text === 'null' || text === '-') return undefined
  if (/^-?\d{1,15}$/.test(text) || /^-?\d+\.\d+$/.test(text)) return Number(text)
  if (text === 'true' || text === 'false') return text === 'true'
  return jsonOf(text) ?? text.replace(/^"(.*)"$/s, '$1')
}

function jsonOf(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined
  // Some pages print single quotes, and keys without any.
  for (const attempt of [text, text.replaceAll("'", '"'), text.replace(/([{,]\s*)([A-Za-z_][\w.]*)\s*:/g, '$1"$2":')]) {
    try {
      return JSON.parse(attempt) as unknown
    } catch {}
  }
  return undefined
}

const isMissing = (value: unknown) => value === null || value === undefined || value === ''

export function likenessOf(printed: string, found: unknown): Likeness | undefined {
  const text = unmarked(printed)
  // An answer is JSON, which has no infinite number.
  if (isMissing(found))
    return /^(?:|null|nil|-|""|\(empty\)|none)$/i.test(text)
      ? 'equal'
      : /^[-+]?(?:inf|nan)/i.test(text)
        ? 'written otherwise'
        : undefined
  if (typeof found === 'number') return numbersAlike(text, found)
  if (typeof found === 'boolean') return text.toLowerCase() === String(found) ? 'equal' : undefined
  if (typeof found === 'object') {
    if (JSON.stringify(jsonOf(text)) === JSON.stringify(found)) return 'equal'
    return isDeepStrictEqual(jsonOf(text), found) || unquoted(text) === unquoted(JSON.stringify(found))
      ? 'written otherwise'
      : undefined
  }
  if (text === found) return 'equal'
  const times = [timeNsOf(text), timeNsOf(String(found))]
  if (times[0] !== undefined && times[0] === times[1]) return 'written otherwise'
  // Pages print seven digits of a second.
  if (times[0] !== undefined && times[1] !== undefined && times[0] / 100n === times[1] / 100n) return 'rounded'
  const bare = (one: string) => one.replace(/^["']|["']$/g, '').trim()
  return bare(text) === bare(String(found)) ? 'written otherwise' : undefined
}

/** JSON as pages print it that leave out quotes and blanks. */
const unquoted = (text: string) => text.replace(/["'\s]/g, '')

/** A page that prints 120.51 may mean 120.5067. */
function numbersAlike(text: string, found: number): Likeness | undefined {
  const digits = text.replaceAll(',', '')
  const printed = Number(digits)
  if (digits === '' || Number.isNaN(printed)) return undefined
  if (printed === found) return 'equal'
  const decimals = digits.split('.')[1]?.length ?? 0
  return Math.abs(printed - found) <= 0.5 * 10 ** -decimals * (1 + 1e-9) ? 'rounded' : undefined
}
