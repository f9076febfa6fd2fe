/**
 * Where something is in a text. Positions count characters (code points), from 0; -1 is nowhere.
 * Deliberately not here: what is there; see `text.ts`.
 */

import { typed, type Value } from '../sql/value.ts'
import { lineWise } from '../text/regex.ts'
import { constantText, type FunctionTable, type Invocation, special } from './definition.ts'
import { pattern } from './text.ts'

/** The part of a text that is searched, and where it begins. */
function reach(text: string, start: Value | undefined, length: Value | undefined): { within: string; from: string } {
  if (start === undefined) return { within: text, from: '0' }
  const at = start.as('integer')
  const from = `if(ifNull(${at}, 0) < 0, greatest(toInt64(lengthUTF8(${text})) + ${at}, 0), ifNull(${at}, 0))`
  const whole = `substringUTF8(${text}, ${from} + 1)`
  const count = length?.as('integer')
  return {
    within: count === undefined ? whole : `if(ifNull(${count}, -1) < 0, ${whole}, substringUTF8(${text}, ${from} + 1, ${count}))`,
    from,
  }
}

/** Where the so-manieth match begins, of the texts between the matches and the matches themselves. */
const nthPlace = (between: string, matches: string, nth: string, from: string) =>
  `if(length(${matches}) >= ${nth}, ${from} + toInt64(lengthUTF8(arrayStringConcat(arraySlice(${between}, 1, ${nth})))) + toInt64(lengthUTF8(arrayStringConcat(arraySlice(${matches}, 1, ${nth} - 1)))), toInt64(-1))`

/** Put in the place of each match of a text that differs from row to row: the engine splits by constants only. */
const MARK = '\u0001'

function splitBy(wanted: Value, within: string, invocation: Invocation): string {
  const { binder } = invocation.context
  if (wanted.literal) return `splitByString(${binder.text(constantText(invocation, 1))}, ifNull(${within}, ''))`
  const mark = binder.text(MARK)
  return `splitByString(${mark}, replaceAll(ifNull(${within}, ''), ifNull(${wanted.as('text')}, ''), ${mark}))`
}

const indexOf = special('source:text lookup:text start:integer? length:integer? occurrence:integer?', (invocation) => {
  const [value, wanted, start, length, occurrence] = invocation.arguments as [Value, Value, ...(Value | undefined)[]]
  const text = value.as('text')
  const { within, from } = reach(text, start, length)
  if (occurrence === undefined) {
    const place = `toInt64(positionUTF8(${within}, ${wanted.as('text')}))`
    return typed('integer', start === undefined ? `(${place} - 1)` : `if(${place} = 0, toInt64(-1), ${from} + ${place} - 1)`)
  }
  const between = splitBy(wanted, within, invocation)
  const matches = `arrayWithConstant(length(${between}) - 1, ifNull(${wanted.as('text')}, ''))`
  const nth = `ifNull(${occurrence.as('integer')}, 1)`
  return typed('integer', `if(${text} IS NULL OR ${nth} < 1, NULL, ${nthPlace(between, matches, nth, from)})`)
})

/** Missing where the start, the length or the occurrence can be none. */
const indexOfRegex = special('source:text regex:text start:integer? occurrence:integer? length:integer?', (invocation) => {
  const [value, , start, occurrence, length] = invocation.arguments as [Value, Value, ...(Value | undefined)[]]
  const source = value.as('text')
  const { text, sql } = pattern(invocation, 1)
  const { within, from } = reach(source, start, length)
  const { binder } = invocation.context
  const between = `splitByRegexp(${sql}, ifNull(${within}, ''))`
  const matches = `extractAll(ifNull(${within}, ''), ${binder.text(lineWise(`(${text})`))})`
  // What is before the first match is as short as can be; a match may be empty.
  const before = `extract(ifNull(${within}, ''), ${binder.text(`^(.*?)(?:${lineWise(text)})`)})`
  const first = `if(match(${within}, ${sql}), ${from} + toInt64(lengthUTF8(${before})), toInt64(-1))`
  const nth = occurrence ? `ifNull(${occurrence.as('integer')}, 1)` : '1'
  const wrong = [
    `${source} IS NULL`,
    ...(start ? [`${start.as('integer')} < 0`] : []),
    ...(occurrence ? [`${nth} < 1`] : []),
    ...(length ? [`${length.as('integer')} < -1`] : []),
  ]
  return typed('integer', `if(${wrong.join(' OR ')}, NULL, ${occurrence ? nthPlace(between, matches, nth, from) : first})`)
})

export const PLACE_FUNCTIONS: FunctionTable = {
  indexof: indexOf.shows("indexof('abcabc', 'c')", 2),
  indexof_regex: indexOfRegex.shows("indexof_regex('abc123', '[0-9]+')", 3),
}
