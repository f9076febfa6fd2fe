/**
 * Text to tokens.
 * Deliberately not here: grammar. The one thing looked at across tokens is the unquoted text in `datetime(…)` and `timespan(…)`.
 */
import { CompileError, type Guess, NOWHERE, type Span } from '../error.ts'
import { QUERY_LENGTH_MAX } from '../limits.ts'
import { adviceOnCharacter } from './characters.ts'
import { INTEGER_MAX, type LiteralValue, parseTimespan, unitNs } from './literal.ts'
import type { Token } from './token.ts'

const BLANK = /(?:\s|\/\/[^\n]*)+/y
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy
const NUMBER = /0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y
const UNIT = /[A-Za-z_]+/y
const RAW_STRING = /@(?:'(?:[^']|'')*'|"(?:[^"]|"")*")/y
const SYMBOL =
  /!(?:in~|in|between|contains_cs|contains|startswith_cs|startswith|endswith_cs|endswith|hasprefix_cs|hasprefix|hassuffix_cs|hassuffix|has_any_cs|has_any|has_all|has_cs|has)(?![\p{L}\p{N}_])|in~|==|=~|!=|!~|<>|<=|>=|\.\.|[|,;()[\]{}.:=<>+\-*/%]/uy
/** An unquoted argument is read in three steps, because a pattern of all of it would try each split of the whitespace at its end. */
const RAW_OPEN = /\s*\(\s*/y
const RAW_ARGUMENT = /-?\d[-+0-9A-Za-z:.,/ ]*/y
const RAW_CLOSE = /\s*\)/y
/** Functions whose argument may stand unquoted. */
const TAKES_RAW = new Set(['datetime', 'date', 'timespan', 'time'])

/** Splits a query text into tokens; the last one is always `end`. */
export function lex(text: string): Token[] {
  if (text.length > QUERY_LENGTH_MAX)
    throw new CompileError('limit', `the query is ${text.length} characters long (limit ${QUERY_LENGTH_MAX})`, NOWHERE)
  const tokens: Token[] = []
  for (let at = skipBlank(text, 0), end = 0; at < text.length; at = skipBlank(text, end)) {
    const [first, ...more] = lexAt(text, at) as [Token, ...Token[]]
    tokens.push(text.slice(end, at).includes('\n') ? { ...first, beginsLine: true } : first, ...more)
    end = (tokens.at(-1) as Token).span.end
  }
  tokens.push({ kind: 'end', text: '', span: { start: text.length, end: text.length } })
  return tokens
}

/** Reads the token at a place where no blank is; behind `datetime` and its like also the bracket and the unquoted text in it. */
export function lexAt(text: string, at: number): Token[] {
  const token = readToken(text, at)
  const takesRaw = token.kind === 'word' && TAKES_RAW.has(token.text)
  return takesRaw ? [token, ...readRawArgument(text, token.span.end)] : [token]
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** @returns where the next token begins, behind blanks and comments */
export function skipBlank(text: string, at: number): number {
  return at + (match(BLANK, text, at)?.length ?? 0)
}

function readToken(text: string, start: number): Token {
  const first = text[start] as string
  const span = (length: number) => ({ start, end: start + length })
  if (first === "'" || first === '"') return readString(text, start)
  const raw = match(RAW_STRING, text, start)
  if (raw !== undefined) {
    const mark = raw[1] as string
    return { kind: 'string', text: raw.slice(2, -1).replaceAll(mark + mark, mark), span: span(raw.length) }
  }
  // `h"…"`: other services do not log such a text.
  if (/^[hH]@?['"]/.test(text.slice(start, start + 3))) {
    const string = readToken(text, start + 1)
    return { ...string, span: { start, end: string.span.end } }
  }
  // `.5`, where the dot is behind no name.
  const isNumber = /^\.\d/.test(text.slice(start, start + 2)) && !/[\p{L}\p{N}_$)\]]/u.test(text[start - 1] ?? '')
  const symbol = isNumber ? undefined : match(SYMBOL, text, start)
  if (symbol !== undefined) return { kind: 'symbol', text: symbol, span: span(symbol.length) }
  const word = match(WORD, text, start)
  if (word !== undefined) return { kind: 'word', text: word, span: span(word.length) }
  const digits = match(NUMBER, text, start)
  if (digits !== undefined) {
    const unit = match(UNIT, text, start + digits.length) ?? ''
    const whole = span(digits.length + unit.length)
    return { kind: 'number', text: digits + unit, value: numberValue(digits, unit, whole), span: whole }
  }
  const isRaw = first === '@' && /['"]/.test(text[start + 1] ?? '')
  const what = isRaw
    ? 'the raw string has no end'
    : `unexpected character "${String.fromCodePoint(text.codePointAt(start) as number)}"`
  throw new CompileError('syntax', what, span(1), isRaw ? undefined : adviceOnCharacter(text, start))
}

function readRawArgument(text: string, at: number): Token[] {
  const before = match(RAW_OPEN, text, at) ?? ''
  const start = at + before.length
  const raw = before && match(RAW_ARGUMENT, text, start)?.trimEnd()
  if (!raw || match(RAW_CLOSE, text, start + raw.length) === undefined) return []
  const open = at + before.indexOf('(')
  return [
    { kind: 'symbol', text: '(', span: { start: open, end: open + 1 } },
    { kind: 'raw', text: raw, span: { start, end: start + raw.length } },
  ]
}

/** `5MB`: sizes have no unit here. */
function inBytes(digits: string, unit: string): Guess | undefined {
  const [, power = '', binary] = /^([kmgt])(i?)b$/i.exec(unit) ?? []
  if (power === '') return undefined
  const bytes = String(Number(digits) * (binary ? 1024 : 1000) ** ('kmgt'.indexOf(power.toLowerCase()) + 1))
  return { hint: `a size is a number of bytes: write ${bytes}`, written: bytes }
}

function numberValue(digits: string, unit: string, span: Span): LiteralValue {
  if (unit !== '') {
    const timespan = unitNs(unit) === undefined ? undefined : parseTimespan(digits.replace(/^\./, '0.') + unit)
    if (timespan) return timespan
    const why =
      unitNs(unit) === undefined ? `"${unit}" is not a unit of time` : 'the timespan is malformed or longer than 292 years'
    throw new CompileError(
      'syntax',
      why,
      span,
      inBytes(digits, unit) ?? "units are d, h, m, s, ms, us and ns; a name that begins with a digit is written ['1name']",
    )
  }
  if (/^(?:0[xX]|\d+$)/.test(digits)) {
    const value = BigInt(digits)
    return value > INTEGER_MAX ? { type: 'real', value: Number(value) } : { type: 'integer', value }
  }
  const value = Number(digits)
  if (!Number.isFinite(value)) throw new CompileError('syntax', 'the number is too large', span)
  return { type: 'real', value }
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\x07', '0': '\0', '/': '/' }

/** A quoted string with backslash escapes; it ends on its line. */
function readString(text: string, start: number): Token {
  const quote = text[start]
  let value = ''
  for (let at = start + 1; at < text.length; ) {
    const char = text[at] as string
    if (char === quote) return { kind: 'string', text: value, span: { start, end: at + 1 } }
    if (char !== '\\') {
      value += char
      at += 1
      continue
    }
    const next = text[at + 1] ?? ''
    const hex = /^(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2}))/.exec(
      text.slice(at + 1, at + 10),
    )
    if (hex) {
      const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? hex[4] ?? '', 16)
      if (code > 0x10ffff) throw new CompileError('syntax', 'no such character', { start: at, end: at + 1 + hex[0].length })
      value += String.fromCodePoint(code)
      at += 1 + hex[0].length
    } else if (Object.hasOwn(ESCAPES, next) || next === '\\' || next === '"' || next === "'") {
      value += ESCAPES[next] ?? next
      at += 2
    } else {
      throw new CompileError(
        'syntax',
        `"\\${next}" is not an escape`,
        { start: at, end: at + 2 },
        `write \\\\${next}, or a raw string: @'…'`,
      )
    }
  }
  throw new CompileError(
    'syntax',
    'the string is not closed',
    { start, end: start + 1 },
    `a text ends with the quote that it begins with; one inside it is written \\${quote}`,
  )
}
