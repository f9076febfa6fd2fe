/**
 * Reads the arguments of one field of a GraphQL document: names, variables, and literals. What stands elsewhere in the document is not
 * looked at. https://spec.graphql.org/October2021/#sec-Language.Arguments
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { invalid } from '@deployment-annotations/runtime/errors'

const TOKEN =
  /[\s,\ufeff]+|#[^\n]*|(?<block>"""(?:[^\\"]|\\[\s\S]|"(?!""))*""")|(?<string>"(?:[^"\\\n]|\\.)*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<name>[_A-Za-z]\w*)|(?<sign>[{}()[\]:$!=@|&]|\.\.\.)/y
const DEPTH_MAX = 50

/** @throws ServiceError `invalid` where the document breaks off */
export function readArguments(
  text: string,
  field: string,
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const tokens = tokenize(text)
  const at = tokens.findIndex((token, i) => token === field && tokens[i + 1] === '(')
  if (at < 0) return {}
  const reader = { tokens, at: at + 2, variables }
  return readMembers(reader, ')', 0)
}

interface Reader {
  tokens: readonly string[]
  at: number
  variables: Readonly<Record<string, unknown>>
}

function tokenize(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const start = TOKEN.lastIndex
    const match = TOKEN.exec(text)
    if (!match) throw refuse(`cannot be read at character ${start + 1}`)
    const { block, string, number, name, sign } = match.groups ?? {}
    const token = block ?? string ?? number ?? name ?? sign
    if (token !== undefined) tokens.push(token)
  }
  return tokens
}

function readMembers(reader: Reader, end: string, depth: number): Record<string, unknown> {
  const members: [string, unknown][] = []
  while (reader.tokens[reader.at] !== end) {
    const name = reader.tokens[reader.at]
    if (name === undefined || reader.tokens[reader.at + 1] !== ':')
      throw refuse(`must have a name and a value, got ${name ?? 'its end'}`)
    reader.at += 2
    members.push([name, readValue(reader, depth + 1)])
  }
  reader.at++
  return Object.fromEntries(members)
}

function readValue(reader: Reader, depth: number): unknown {
  if (depth > DEPTH_MAX) throw refuse(`is nested deeper than ${DEPTH_MAX}`)
  const token = reader.tokens[reader.at++]
  if (token === undefined) throw refuse('ends within a value')
  if (token === '$') return reader.variables[reader.tokens[reader.at++] ?? '']
  if (token === '{') return readMembers(reader, '}', depth)
  if (token === '[') {
    const items: unknown[] = []
    while (reader.tokens[reader.at] !== ']') items.push(readValue(reader, depth + 1))
    reader.at++
    return items
  }
  if (token.startsWith('"""')) return token.slice(3, -3).replaceAll('\\"""', '"""').trim()
  if (token.startsWith('"')) return readString(token)
  if (/^-?\d/.test(token)) return Number(token)
  if (token === 'true' || token === 'false') return token === 'true'
  // An enumerated value is a text here.
  if (/^[_A-Za-z]/.test(token)) return token === 'null' ? undefined : token
  throw refuse(`has ${token} where a value must be`)
}

function readString(token: string): string {
  try {
    return JSON.parse(token) as string
  } catch {
    throw refuse(`has a text that cannot be read: ${token.slice(0, 40)}`)
  }
}

const refuse = (what: string) => invalid(VALIDATION_CODES.pattern, `query ${what}`)
