/**
 * The text of a query in pieces, for completion while it is written: unlike the service's reader this one never fails, and what
 * has no end yet ends with its line. Pure. Deliberately not here: what the pieces mean.
 */

export interface Token {
  kind: 'word' | 'string' | 'comment' | 'number' | 'symbol'
  text: string
  start: number
  /** Exclusive. */
  end: number
  /** Of a string: its second quote is missing. */
  isOpen?: true
}

const KINDS = [
  ['comment', /\/\/[^\n]*/y],
  ['string', /@?'(?:[^'\\\n]|\\[^\n])*'?|@?"(?:[^"\\\n]|\\[^\n])*"?/y],
  ['word', /[\p{L}_$][\p{L}\p{N}_$]*/uy],
  ['number', /\d+(?:\.\d+)?[A-Za-z_]*/y],
  ['symbol', /!(?:in~?|[a-z_]+)|in~|==|=~|!=|!~|<>|<=|>=|\.\.|[^\s]/uy],
] as const
/** In a raw string a backslash is a backslash, two quotes are one, and lines may end. */
const RAW = /@(?:'(?:[^']|'')*'|"(?:[^"]|"")*")/y
const BLANK = /[\s\uFEFF]+/y

export function readTokens(text: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; ) {
    const blank = match(BLANK, text, at)
    if (blank) at += blank.length
    if (at >= text.length) break
    const token = readToken(text, at)
    tokens.push(token)
    at = token.end
  }
  return tokens
}

function readToken(text: string, start: number): Token {
  const raw = text[start] === '@' ? match(RAW, text, start) : undefined
  if (raw) return { kind: 'string', text: raw, start, end: start + raw.length }
  for (const [kind, pattern] of KINDS) {
    const found = match(pattern, text, start)
    if (!found) continue
    const token: Token = { kind, text: found, start, end: start + found.length }
    return kind === 'string' && !isClosed(found) ? { ...token, isOpen: true } : token
  }
  return { kind: 'symbol', text: text.charAt(start), start, end: start + 1 }
}

function isClosed(string: string): boolean {
  return /^@?(['"])(?:[^\\]|\\.)*\1$/s.test(string)
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** @returns the name inside `['…']`, as far as it is written */
export function readQuoted({ text, isOpen }: Token): string {
  return text.slice(1, isOpen ? undefined : -1).replaceAll(/\\(.)/gs, '$1')
}
