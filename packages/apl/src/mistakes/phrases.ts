/**
 * What several words together mean in another language, around the place where the parser stopped: `not in`, `is null`,
 * `count(distinct x)`, `cast(x as type)`, `1 hour`, a function without its brackets.
 * Deliberately not here: single words; see `habits.ts`.
 */
import { behind, between, CompileError, type Edit, spanning } from '../error.ts'
import { unitNs } from '../text/literal.ts'
import { writeText } from '../text/nearest.ts'
import { describeToken, nesting, type Token } from '../text/token.ts'
import { CHOICE, type Habit, habitAt, INSTEAD, isNegatable, type Look, PATTERN, surplus, written } from './habits.ts'

/** What the parser knows of words. */
export interface KnownWords {
  isOperator(word: string): boolean
  isFunction(word: string): boolean
}

/** `not x`, or `x not in (…)`. */
export function negationAt(look: Look): CompileError | undefined {
  const isNot = ({ kind, text }: Token) => kind === 'word' && text.toLowerCase() === 'not'
  const [before, token, next] = [look(-1), look(0), look(1)]
  if (isNot(token) && next.kind === 'word') {
    const word = next.text.toLowerCase()
    const span = spanning(token.span, next.span)
    if (isNegatable(word)) {
      return habitAt(written(`"${token.text} ${next.text}" is one word here`, `!${word}`), span)
    }
    if (INSTEAD[word] === PATTERN)
      return habitAt({ ...PATTERN, hint: "write !contains 'x', !startswith 'x' or !endswith 'x'" }, span)
  }
  if (!isNot(before) || token.kind === 'end') return undefined
  // `not` alone before a name: what it is to turn around ends where the next condition begins.
  const fix: Edit[] = []
  const condition = conditionEnd(look)
  if (condition !== undefined)
    fix.push(
      { span: { start: before.span.start, end: token.span.start }, text: 'not(' },
      { span: { start: condition, end: condition }, text: ')' },
    )
  // `NOT level:info`: what is compared is a text.
  const [sign, text] = [look(1), look(2)]
  const isTerm =
    sign.text === ':' && text.kind === 'word' && sign.span.start === token.span.end && text.span.start === sign.span.end
  if (isTerm) fix.splice(1, 0, { span: text.span, text: writeText(text.text) })
  const hint = 'write not(condition)'
  return new CompileError('syntax', '"not" is a function', before.span, fix.length > 0 ? { hint, fix } : hint)
}

/** Where the condition that begins here ends: at the next `and`, `or`, `,`, `|`, closing bracket or the end. */
function conditionEnd(look: Look): number | undefined {
  for (let ahead = 0, depth = 0; ahead < 100; ahead++) {
    const { kind, text } = look(ahead)
    const isJoint = (kind === 'word' && /^(?:and|or)$/i.test(text)) || (kind === 'symbol' && /^[,|;)\]}]$/.test(text))
    if (depth === 0 && (kind === 'end' || isJoint)) return ahead === 0 ? undefined : look(ahead - 1).span.end
    if (kind === 'end') return undefined
    depth += nesting(look(ahead))
  }
  return undefined
}

const COUNTED_DISTINCT = 'different values are counted by a function of their own'

/** `count(distinct x)`, `cast(x as type)`, `| count()`, `| count by x`, `if x then`, `interval '1 hour'`. */
export function callAt(look: Look): CompileError | undefined {
  const [before, token] = [look(-1), look(0)]
  if (before.kind !== 'word') return undefined
  const word = before.text.toLowerCase()
  const behindPipe = look(-2).kind === 'symbol' && look(-2).text === '|'
  if (word === 'distinct' && look(-2).text === '(') {
    const call = spanning(look(-3).span, before.span)
    const isCount = look(-3).text.toLowerCase() === 'count'
    const fix = [{ span: { start: call.start, end: token.span.start }, text: 'dcount(' }]
    return new CompileError(
      'syntax',
      COUNTED_DISTINCT,
      call,
      isCount ? { hint: 'write dcount(field)', fix } : 'write dcount(field)',
    )
  }
  if (word === 'all' && look(-2).text === 'union')
    return habitAt({ ...surplus('a union keeps all rows'), hint: 'leave all out' }, before.span)
  if (word === 'select' && look(1).text.toLowerCase() === 'from' && look(2).kind === 'word') {
    const instead = `${look(2).text} | project ${token.text}`
    return habitAt(written('a query inside a query is a pipeline too', instead), spanning(before.span, look(2).span))
  }
  if (word === 'count' && behindPipe && token.text === '(' && look(1).text === ')')
    return habitAt(
      { message: 'the operator count has no brackets', hint: 'write | count', instead: '' },
      spanning(token.span, look(1).span),
    )
  if (word === 'count' && behindPipe && token.text === 'by')
    return new CompileError('syntax', 'the operator count has no groups', token.span, {
      hint: 'write | summarize count() by …',
      fix: [{ span: before.span, text: 'summarize count()' }],
    })
  return word === 'if' || word === 'case' ? habitAt(CHOICE, before.span) : undefined
}

/** `name is null`, `name is not null`, `name is true`. */
export function missingAt(look: Look): CompileError | undefined {
  const [name, word] = [look(-1), look(0)]
  if (word.text.toLowerCase() !== 'is' || name.kind !== 'word' || look(-2).text === '.') return undefined
  const isNegated = look(1).text.toLowerCase() === 'not'
  const what = look(isNegated ? 2 : 1)
  const value = what.text.toLowerCase()
  const span = spanning(name.span, what.span)
  if (value === 'true' || value === 'false') {
    const sign = isNegated ? '!=' : '=='
    const instead = `${name.text} ${sign} ${value}`
    return habitAt({ message: '"is" is not an operator', hint: `write ${sign}`, instead }, span)
  }
  const { message, hint } = INSTEAD.is as Habit
  const instead = `${isNegated ? 'isnotnull' : 'isnull'}(${name.text})`
  return value === 'null' ? new CompileError('syntax', message, word.span, { hint, fix: [{ span, text: instead }] }) : undefined
}

const TYPE_FUNCTIONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:string|text|varchar|char)$/, 'tostring'],
  [/^(?:int|integer|bigint|long)$/, 'tolong'],
  [/^(?:float|double|real|decimal|numeric|number)$/, 'toreal'],
  [/^bool(?:ean)?$/, 'tobool'],
  [/^(?:timestamp|datetime|date)$/, 'todatetime'],
]

/** `cast(x as string)`, seen from its `as`. */
export function castAt(look: Look): CompileError | undefined {
  if (look(0).text.toLowerCase() !== 'as') return undefined
  let open = -1
  for (let depth = 0; open > -100 && (depth > 0 || look(open).text !== '('); open--) {
    if (look(open).kind !== 'symbol') continue
    if (look(open).text === ')') depth += 1
    else if (look(open).text === '(') depth -= 1
  }
  const cast = look(open - 1)
  if (!/^(?:try_)?cast$/i.test(cast.text)) return undefined
  const type = look(1)
  const name = TYPE_FUNCTIONS.find(([types]) => types.test(type.text.toLowerCase()))?.[1]
  const message = 'types are changed by functions'
  if (!name)
    return new CompileError('syntax', message, cast.span, 'write tostring(x), tolong(x), toreal(x), tobool(x) or todatetime(x)')
  const fix = [
    { span: cast.span, text: name },
    { span: { start: look(-1).span.end, end: type.span.end }, text: '' },
  ]
  return new CompileError('syntax', message, cast.span, { hint: `write ${name}(x)`, fix })
}

/** `1 hour`, `interval '1 hour'`. */
export function lengthAt(before: Token, token: Token): CompileError | undefined {
  const isUnit = token.kind === 'word' && unitNs(token.text) !== undefined
  if (before.kind === 'number' && /^[\d.]+$/.test(before.text) && isUnit) {
    const timespan = before.text + token.text
    return habitAt(written('a timespan is written without a blank', timespan), spanning(before.span, token.span))
  }
  const [, amount, unit] = (token.kind === 'string' && /^(\d+) ?([a-z]+)$/i.exec(token.text)) || []
  if (before.text.toLowerCase() !== 'interval' || unit === undefined || unitNs(unit) === undefined) return undefined
  return habitAt(written('a timespan is a value', `${amount}${unit}`), spanning(before.span, token.span))
}

/** `avg duration`: a function and one argument without brackets. */
export function bracketsAt(look: Look, { isFunction }: KnownWords): CompileError | undefined {
  const [before, token, next] = [look(-1), look(0), look(1)]
  if (before.kind !== 'word' || token.kind === 'symbol' || token.kind === 'end' || !isFunction(before.text)) return undefined
  const hint = `write ${before.text}(…)`
  const isWhole = next.kind === 'word' || next.kind === 'end' || next.text === '|'
  const fix = [{ span: between(before.span, token.span), text: '(' }, behind(token.span, ')')]
  const message = `"${before.text}" is a function: its arguments are in brackets`
  return new CompileError('syntax', message, before.span, isWhole ? { hint, fix } : hint)
}

/** `offset 5m`: another stretch of time. */
export function offsetAt(look: Look): CompileError | undefined {
  const [token, next] = [look(0), look(1)]
  if (token.text !== 'offset' || next.kind !== 'number' || next.value.type !== 'timespan') return undefined
  const by = next.text
  return new CompileError(
    'syntax',
    'a query looks at the range of time that is sent with it',
    spanning(token.span, next.span),
    `move that range by ${by}, or write | where _time between (ago(${by}) - 1h .. ago(${by}))`,
  )
}

/** Two values beside each other. */
export function gapAt(before: Token, token: Token): CompileError | undefined {
  const isValue = ({ kind, text }: Token) => kind === 'word' || kind === 'string' || kind === 'number' || text === ')'
  if (before === token || !isValue(before) || !isValue(token) || token.text === ')') return undefined
  if (before.text === 'by')
    return new CompileError('syntax', 'there is a "," before by', before.span, 'write summarize count() by field')
  return new CompileError(
    'syntax',
    `something is missing between ${describeToken(before)} and ${describeToken(token)}`,
    token.span,
    'values are joined by an operator such as ==, columns are separated by ",", and the next operator begins with "|"',
  )
}
