/**
 * Columns out of a text: of `parse` by a regular expression, and of `parse-kv` from left to right.
 * Deliberately not here: types that `grammar.txt` does not write.
 */
import type { Parse, ParseKv, ParsePart } from '../../src/tree/ast.ts'
import { evaluate } from './expressions.ts'
import { occurs } from './occurrences.ts'
import { type Row, realOf, timeOf, type Value, wholeOf } from './values.ts'

/** What fits a type, from its first character on. */
const FITTING: Readonly<Record<string, string>> = {
  int: '[+-]?\\d+',
  long: '[+-]?\\d+',
  real: '[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?',
  bool: 'true|false',
}

function read(text: string, type: string): Value {
  if (type !== 'string') occurs('a column with a type')
  switch (type) {
    case 'int':
    case 'long':
      return wholeOf(text)
    case 'real':
      return realOf(text)
    case 'bool':
      return text === 'true' ? true : text === 'false' ? false : null
    case 'datetime':
      return timeOf(text)
    default:
      return text
  }
}

/** The whole text; a column that stands before a `*`, or in a regular expression, takes as much as fits its type, and any other ends where the next text begins. */
function patternOf({ parts, mode, flags = '' }: Parse): RegExp {
  const isGreedy = mode === 'regex' && !flags.includes('U')
  const any = isGreedy ? '.*' : '.*?'
  const sources = parts.map(({ text, skip, type = '' }: ParsePart, at) => {
    if (text !== undefined) return mode === 'regex' ? text : text.replace(/[^0-9A-Za-z]/g, '\\$&')
    if (skip) return any
    const fitting = mode === 'regex' || parts[at + 1]?.skip ? FITTING[type] : undefined
    return fitting === undefined ? `(${any})` : `(?:(${fitting})|${any})`
  })
  return new RegExp(`^${sources.join('')}$`, 's')
}

/** @returns the row with the columns, or none if one is missing and the operator filters */
export function parser(operator: Parse): (row: Row) => Row[] {
  const pattern = patternOf(operator)
  const columns = operator.parts.filter(({ column }) => column !== undefined)
  return (row) => {
    const text = evaluate(operator.expression, row)
    const found = typeof text === 'string' ? pattern.exec(text) : null
    const values = columns.map(({ type = 'string' }, at) => (found ? read(found[at + 1] ?? '', type) : null))
    if (operator.filters && (!found || values.includes(null))) return []
    return [{ ...row, ...Object.fromEntries(columns.map(({ column }, at) => [column as string, values[at] as Value])) }]
  }
}

/** Of each key the first value, and an empty one is missing; one in quotes ends with them, and any other where a pair ends. */
export function pairsReader({ expression, keys, options }: ParseKv): (row: Row) => Row {
  const { pair_delimiter: [pair] = [], kv_delimiter: [between] = [], quote: [quote = '"'] = [] } = options
  const [ends, betweens] = pair || between ? [pair ?? ' ', between ?? '='] : [' ,;&|', ':=']
  return (row) => {
    const text = evaluate(expression, row)
    const values = new Map<string, string>()
    let rest = typeof text === 'string' ? text : ''
    while (rest !== '') {
      const key = upTo(rest, ends + betweens)
      rest = rest.slice(key.length)
      if (betweens.includes(rest[0] ?? ' ')) {
        rest = pair === ' ' ? rest.slice(1) : rest.slice(1).trimStart()
        const isQuoted = rest.startsWith(quote)
        const value = isQuoted ? upTo(rest.slice(1), quote) : upTo(rest, ends)
        rest = rest.slice(value.length + (isQuoted ? 2 : 0))
        if (!values.has(key.trim())) values.set(key.trim(), isQuoted ? value : value.trim())
      }
      rest = rest.slice(1)
    }
    const columns = keys.map(({ name, type = 'string' }) => [name, values.get(name) ? read(values.get(name) ?? '', type) : null])
    return { ...row, ...Object.fromEntries(columns) }
  }
}

const upTo = (text: string, ends: string): string => {
  const at = [...text].findIndex((char) => ends.includes(char))
  return at < 0 ? text : text.slice(0, at)
}
