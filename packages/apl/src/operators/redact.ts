/**
 * `redact`: texts without what regular expressions find in them. The events as they are stored do not change.
 * Deliberately not here: what was found; `auditField` only says which regular expression found something in which field.
 */

import { CompileError } from '../error.ts'
import { arrayOf } from '../functions/json.ts'
import type { Relation } from '../sql/relation.ts'
import { json, typed, type Value } from '../sql/value.ts'
import { checkRegex, splitAtGroups } from '../text/regex.ts'
import { describeToken } from '../text/token.ts'
import type { Pattern, Redact } from '../tree/ast.ts'
import type { ExpressionParser } from '../tree/expression-parser.ts'
import type { Context } from '../values/context.ts'
import { matching } from './columns.ts'
import type { OperatorDefinition } from './definition.ts'

/** The most regular expressions in one `redact`: each is a pass over every field. */
const REGEXES_MAX = 16
/** Put around each match for a moment; texts that have these characters lose them. */
const [BEGIN, END] = ['\u0001', '\u0002']

type Settings = { -readonly [K in keyof Pick<Redact, 'token' | 'hash' | 'groups' | 'auditField'>]: Redact[K] }

/** setting = "replaceToken" "=" string | "auditField" "=" name | ("replaceHash"|"redactGroups") "=" ("true"|"false") */
function settings(parser: ExpressionParser): Settings {
  const found: Settings = { token: '*', hash: false, groups: false }
  while (parser.isSymbol('=', 1)) {
    const setting = parser.acceptWord('replaceToken', 'replaceHash', 'redactGroups', 'auditField')
    if (setting === undefined) break
    parser.next()
    if (setting === 'auditField') found.auditField = parser.peek().kind === 'string' ? parser.next().text : parser.columnName()
    else if (setting === 'replaceToken') found.token = text(parser, 'the token').text
    else found[setting === 'replaceHash' ? 'hash' : 'groups'] = parser.expectOneOf(['true', 'false'] as const, 'value') === 'true'
  }
  return found
}

function text(parser: ExpressionParser, what: string) {
  const token = parser.next()
  if (token.kind !== 'string')
    throw new CompileError('syntax', `expected a text for ${what}, found ${describeToken(token)}`, token.span)
  return token
}

/** regex = [name "="] string | "(" string ")" */
function regex(parser: ExpressionParser): Redact['regexes'][number] {
  let name: string | undefined
  if (parser.peek().kind === 'word' && parser.isSymbol('=', 1)) {
    name = parser.next().text
    parser.next()
  }
  const inBrackets = parser.acceptSymbol('(')
  const token = text(parser, 'a regular expression')
  if (inBrackets) parser.expectSymbol(')', 'after the regular expression')
  return { ...(name !== undefined && { name }), regex: token.text, span: token.span }
}

/** What a match becomes: its hash, a token of one character for each of its own, or a longer token once. */
function hidden(match: string, { token, hash }: Redact, { binder }: Context): string {
  if (hash) return `if(empty(${match}), '', lower(hex(SHA256(${match}))))`
  if ([...token].length <= 1) return `repeat(${binder.text(token)}, lengthUTF8(${match}))`
  return `if(empty(${match}), '', ${binder.text(token)})`
}

/** Each match of one regular expression, by its place between the two marks. */
function redacted(value: string, { regex, span }: Redact['regexes'][number], operator: Redact, context: Context): string {
  checkRegex(regex, span)
  const { binder } = context
  const plain = `replaceAll(replaceAll(${value}, ${binder.text(BEGIN)}, ''), ${binder.text(END)}, '')`
  const marked = `replaceRegexpAll(${plain}, ${binder.text(`((?-s:${regex}))`)}, ${binder.text(`${BEGIN}\\1${END}`)})`
  const pieces = `splitByString(${binder.text(BEGIN)}, ${marked})`
  const end = `position(piece, ${binder.text(END)})`
  const match = `substring(piece, 1, ${end} - 1)`
  const instead = operator.groups ? withoutGroups(match, { regex, span }, operator, context) : hidden(match, operator, context)
  return `arrayStringConcat(arrayMap(piece -> if(${end} = 0, piece, concat(${instead}, substring(piece, ${end} + 1))), ${pieces}))`
}

/** Only the groups of a match, the rest as it is. */
function withoutGroups(match: string, { regex, span }: Redact['regexes'][number], operator: Redact, context: Context): string {
  const parts = splitAtGroups(regex)
  if (!parts)
    throw new CompileError(
      'unsupported',
      'redactGroups needs groups that stand side by side, each once',
      span,
      "write the regular expression as in @'user=(\\w+)'",
    )
  const { binder } = context
  const whole = `^${parts.map(({ text }) => `((?-s:${text}))`).join('')}$`
  const found = `extractGroups(${match}, ${binder.text(whole)})`
  const isGroup = `[${parts.map(({ isGroup: yes }) => (yes ? '1' : '0')).join(', ')}]`
  return `arrayStringConcat(arrayMap((part, hides) -> if(hides = 1, ${hidden('part', operator, context)}, part), ${found}, ${isGroup}))`
}

function redactedFields(fields: readonly Pattern[] | undefined, input: Relation): string[] {
  if (fields) return matching(fields, input)
  return input.names().filter((name) => holdsText(input.find(name)))
}

/** If a field also holds other values, only its texts change. */
function inText(value: Value, sql: string): Value {
  if (value.kind !== 'dynamic') return typed('string', `if(isNull(${value.as('text')}), NULL, ${sql})`)
  return json(`if(startsWith(ifNull(${value.as('json')}, ''), '"'), toJSONString(${sql}), ${value.as('json')})`, value.type)
}

/** `{"field": ["name of a regular expression that is found in it"]}`, of the fields as they were. */
function audit({ regexes, fields }: Redact, input: Relation, { binder }: Context): Value {
  const members = redactedFields(fields, input).map((field) => {
    const text = `ifNull(${input.find(field)?.as('text')}, '')`
    const hits = regexes.map(({ name, regex, span }) => {
      checkRegex(regex, span)
      return `if(match(${text}, ${binder.text(`(?-s:${regex})`)}), ${binder.text(JSON.stringify(name ?? regex))}, '')`
    })
    const found = `arrayFilter(hit -> hit != '', [${hits.join(', ')}])`
    return `arrayMap(hits -> if(empty(hits), '', concat(${binder.text(`${JSON.stringify(field)}:`)}, ${arrayOf('hits')})), [${found}])[1]`
  })
  return json(
    `concat('{', arrayStringConcat(arrayFilter(member -> member != '', [${members.join(', ')}]), ','), '}')`,
    'map[string]',
  )
}

const holdsText = (value: Value | undefined) => value?.type.split('|').includes('string') ?? false

export const redact: OperatorDefinition<'redact'> = {
  keywords: ['redact'],
  syntax:
    "[replaceToken = '*'] [replaceHash = true] [redactGroups = true] [auditField = name] [name =] 'regex', … [on name | pattern*, …]",
  parse: (parser) => {
    const found = settings(parser)
    const regexes = parser.list(() => regex(parser))
    if (regexes.length > REGEXES_MAX)
      throw new CompileError(
        'limit',
        `redact takes at most ${REGEXES_MAX} regular expressions`,
        (regexes[REGEXES_MAX] as (typeof regexes)[0]).span,
      )
    const fields = parser.acceptWord('on') ? parser.list(() => parser.pattern()) : undefined
    return { ...found, regexes, ...(fields && { fields }) }
  },
  compile: (operator, input, context) => {
    const { auditField } = operator
    const audited = auditField === undefined ? input : input.extended(new Map([[auditField, audit(operator, input, context)]]))
    return operator.regexes.reduce((relation, regex) => {
      const columns = redactedFields(operator.fields, relation).flatMap((name): [string, Value][] => {
        const value = relation.find(name) as Value
        if (!holdsText(value) && !operator.fields) return []
        const sql = redacted(`ifNull(${value.as('text')}, '')`, regex, operator, context)
        return [[name, inText(value, sql)]]
      })
      return relation.extended(new Map(columns))
    }, audited)
  },
}
