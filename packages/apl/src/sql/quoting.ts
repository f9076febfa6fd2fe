/**
 * The only ways text becomes SQL: names through `quoteName`, values through a `Binder`, and constants that the engine takes no
 * parameter for, such as the path of a file, through `quoteText`.
 * Deliberately not here: what the SQL says.
 */
import { formatTimestamp, STORABLE_FIRST_NS, STORABLE_LAST_NS } from '@deployment-annotations/contract/timestamp'
import { INTEGER_MAX, INTEGER_MIN } from '../text/literal.ts'

/** Types of bound values. The placeholder is `{p0:String}`; the engine parses the value itself. */
type ParameterType =
  | 'String'
  | 'Int64'
  | 'UInt64'
  | 'Float64'
  | 'Bool'
  | "DateTime64(9,'UTC')"
  | 'Array(String)'
  | 'Array(Int64)'
  | 'Array(Float64)'
/** Integers travel as decimal text, so that none is rounded on the way. */
export type ParameterValue = string | boolean | readonly string[]

/** How the engine writes, in quoted texts and names, what could not stand there as it is. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '`': '\\`',
  "'": "\\'",
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/**
 * Quotes a name. The engine takes backslash escapes inside backticks, so the backslash is escaped before anything else could be.
 * A lone surrogate cannot be written in UTF-8; no stored name has one, so it is replaced as the encoder would.
 */
export function quoteName(name: string): string {
  return `\`${wellFormed(name).replace(/[\\`\0\b\f\n\r\t]/g, (char) => ESCAPES[char] as string)}\``
}

/** A text as a literal of the engine. */
export function quoteText(text: string): string {
  return `'${text.replace(/[\\'\0\b\f\n\r\t]/g, (char) => ESCAPES[char] as string)}'`
}

/** Lone surrogates, which UTF-8 cannot hold, as the encoder would write them; other text unchanged. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/** Collects the values of one statement; equal values share a parameter, so that equal expressions are equal text. */
export class Binder {
  readonly params: Record<string, ParameterValue> = {}
  readonly #known = new Map<string, string>()

  bind(type: ParameterType, value: ParameterValue): string {
    const key = `${type} ${JSON.stringify(value)}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const name = `p${this.#known.size}`
    const placeholder = `{${name}:${type}}`
    this.#known.set(key, placeholder)
    this.params[name] = value
    return placeholder
  }

  text(value: string): string {
    return this.bind('String', wellFormed(value))
  }

  texts(values: readonly string[]): string {
    return this.bind(
      'Array(String)',
      values.map((value) => wellFormed(value)),
    )
  }

  /** The engine takes array elements that are not strings unquoted. */
  numbers(type: 'Array(Int64)' | 'Array(Float64)', values: readonly (bigint | number)[]): string {
    return this.bind(type, `[${values.join(',')}]`)
  }

  integer(value: bigint): string {
    return this.bind('Int64', String(value > INTEGER_MAX ? INTEGER_MAX : value < INTEGER_MIN ? INTEGER_MIN : value))
  }

  real(value: number): string {
    return this.bind('Float64', String(value))
  }

  /** A count of rows. */
  count(value: number): string {
    return this.bind('UInt64', String(value))
  }

  /** Times the column cannot hold become its first or last instant: no row lies beyond either. */
  time(ns: bigint): string {
    const held = ns < STORABLE_FIRST_NS ? STORABLE_FIRST_NS : ns > STORABLE_LAST_NS ? STORABLE_LAST_NS : ns
    const [seconds, fraction = ''] = formatTimestamp(held).slice(0, -1).split('.')
    return this.bind("DateTime64(9,'UTC')", `${seconds?.replace('T', ' ')}.${fraction.padEnd(9, '0')}`)
  }
}
