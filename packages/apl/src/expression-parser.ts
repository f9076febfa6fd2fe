/**
 * Expressions: a Pratt parser over the tokens. One function per production, its grammar in the comment.
 * Over 300 lines because it is one grammar: productions that call one another.
 * Deliberately not here: operators of the pipeline, and whether a function or a field exists.
 */
import type { BinaryOperator, Call, Expression, ListOperator, Named, Pattern, Pipeline, SortKey } from './ast.ts'
import { findBracketed } from './bracketed.ts'
import { CompileError } from './error.ts'
import { COLUMNS_WRITTEN_MAX, CONSTANTS_MAX, NESTING_DEPTH_MAX, OPERANDS_MAX } from './limits.ts'
import { type LiteralValue, parseDatetime, parseTimespan } from './literal.ts'
import { NOWHERE, type Span, spanning } from './source.ts'
import { describeToken, type Token } from './token.ts'
import { TokenReader } from './token-reader.ts'

/** How tightly each infix operator binds. */
const BINDING = { or: 1, and: 2, comparison: 3, additive: 4, multiplicative: 5, prefix: 6, postfix: 7 } as const

const TEXT_WORDS = ['contains', 'startswith', 'endswith', 'has', 'hasprefix', 'hassuffix']
const TEXT_OPERATORS = new Set(TEXT_WORDS.flatMap((word) => [word, `!${word}`, `${word}_cs`, `!${word}_cs`]))
const COMPARISONS = new Set(['==', '!=', '<>', '<', '<=', '>', '>=', '=~', '!~', ':'])
const LIST_OPERATORS = new Set(['in', '!in', 'in~', '!in~', 'has_any', '!has_any', 'has_any_cs', '!has_any_cs', 'has_all'])
const CONSTANTS = new Map<string, LiteralValue>([
  ['true', { type: 'boolean', value: true }],
  ['false', { type: 'boolean', value: false }],
  ['null', { type: 'null' }],
])

/** Reads expressions; the pipeline parser extends it. */
export abstract class ExpressionParser extends TokenReader {
  #depth = 0
  #jsonDepth = 0
  #columnsWritten = 0
  readonly #queries: ReadonlySet<Token>

  constructor(tokens: readonly Token[]) {
    super(tokens)
    this.#queries = findBracketed(tokens)
  }

  /** The other side of a union or a join: a dataset, or a pipeline in brackets. */
  abstract branch(): Pipeline
  /** The members of a union: those, or patterns of datasets; and the column for their names. */
  abstract unionMembers(): { readonly members: readonly Pipeline[]; readonly withSource?: string }
  abstract pipeline(): Pipeline

  /** Bounds recursion: every production that may contain itself goes through here. */
  protected nested<T>(read: () => T): T {
    if (this.#depth >= NESTING_DEPTH_MAX)
      throw new CompileError('limit', `brackets are nested too deeply (limit ${NESTING_DEPTH_MAX})`, this.peek().span)
    this.#depth += 1
    try {
      return read()
    } finally {
      this.#depth -= 1
    }
  }

  /** expression = prefix { infix } — infix operators that bind tighter than `binding`. */
  expression(binding = 0): Expression {
    return this.nested(() => {
      let left = this.prefix()
      while (true) {
        const more = this.infix(left, binding)
        if (!more) return left
        left = more
      }
    })
  }

  /** infix = ("or"|"and") expression | comparison | ("+"|"-"|"*"|"/"|"%") expression */
  private infix(left: Expression, binding: number): Expression | undefined {
    const { kind, text } = this.peek()
    if (kind === 'word' && (text === 'or' || text === 'and') && binding < BINDING[text]) return this.logical(left, text)
    if (kind !== 'word' && kind !== 'symbol') return undefined
    if (
      binding < BINDING.comparison &&
      (COMPARISONS.has(text) || TEXT_OPERATORS.has(text) || (text === 'matches' && this.isWord('regex', 1)))
    ) {
      return this.comparison(left)
    }
    if (binding < BINDING.comparison && LIST_OPERATORS.has(text)) return this.listOperation(left, text as ListOperator)
    if (binding < BINDING.comparison && (text === 'between' || text === '!between')) return this.between(left, text !== 'between')
    const level =
      text === '+' || text === '-' ? BINDING.additive : text === '*' || text === '/' || text === '%' ? BINDING.multiplicative : 0
    if (kind !== 'symbol' || level <= binding) return undefined
    this.next()
    return binary(text as BinaryOperator, left, this.expression(level))
  }

  /** logical = expression { "and" expression } — one node for the whole run */
  private logical(left: Expression, operator: 'and' | 'or'): Expression {
    const operands = left.kind === 'logical' && left.operator === operator ? [...left.operands] : [left]
    while (this.acceptWord(operator)) {
      const operand = this.expression(BINDING[operator])
      operands.push(...(operand.kind === 'logical' && operand.operator === operator ? operand.operands : [operand]))
      if (operands.length > OPERANDS_MAX)
        throw new CompileError(
          'limit',
          `more than ${OPERANDS_MAX} conditions are joined by "${operator}", of which this is the next`,
          operand.span,
          'for many values of one field write field in (…)',
        )
    }
    return { kind: 'logical', operator, operands, span: spanning(left.span, (operands.at(-1) as Expression).span) }
  }

  /** comparison = expression ("==" | "contains" | "matches" "regex" | …) expression */
  private comparison(left: Expression): Expression {
    let operator = this.next().text
    if (operator === 'matches') operator = `matches ${this.next().text}`
    if (operator === '<>') operator = '!='
    return binary(operator as BinaryOperator, left, this.expression(BINDING.comparison))
  }

  /** listOperation = expression ("in" | "has_any" | …) ( "(" [expression {"," expression}] ")" | primary ) */
  private listOperation(value: Expression, operator: ListOperator): Expression {
    this.next()
    let list: Expression[] = []
    if (this.acceptSymbol('(')) {
      if (!this.isSymbol(')')) list = this.list(() => this.tabular() ?? this.expression(), CONSTANTS_MAX)
      this.expectSymbol(')', 'after the list')
    } else {
      list = [this.expression(BINDING.comparison)]
    }
    return { kind: 'in-list', operator, value, list, span: spanning(value.span, this.previousSpan()) }
  }

  /** between = expression ["!"] "between" "(" expression ".." expression ")" */
  private between(value: Expression, negated: boolean): Expression {
    this.next()
    this.expectSymbol('(', 'after between')
    const low = this.expression()
    this.expectSymbol('..', 'between the two ends')
    const high = this.expression()
    this.expectSymbol(')', 'after the range')
    return { kind: 'between', negated, value, low, high, span: spanning(value.span, this.previousSpan()) }
  }

  /** prefix = ("-"|"+") prefix | "not" … is a function | primary { "." name | "[" expression "]" } */
  private prefix(): Expression {
    const { span } = this.peek()
    if (this.acceptSymbol('+')) return this.nested(() => this.prefix())
    if (this.acceptSymbol('-')) {
      const operand = this.nested(() => this.prefix())
      return { kind: 'negation', operand, span: spanning(span, operand.span) }
    }
    let value = this.primary()
    while (true) {
      if (this.acceptSymbol('.')) {
        const key = this.peek()
        if (this.isSymbol('[')) {
          const quoted = this.quotedName()
          value = { kind: 'member', object: value, key: quoted, quoted: true, span: spanning(span, this.previousSpan()) }
          continue
        }
        if (key.kind !== 'word') this.fail('a name after "."')
        this.next()
        value = { kind: 'member', object: value, key: key.text, span: spanning(span, key.span) }
      } else if (this.isSymbol('[')) {
        this.next()
        const index = this.expression()
        const close = this.expectSymbol(']', 'after the index')
        const key = index.kind === 'literal' && index.value.type === 'string' ? index.value.value : undefined
        const whole = spanning(span, close.span)
        value =
          key === undefined
            ? { kind: 'index', object: value, index, span: whole }
            : { kind: 'member', object: value, key, quoted: true, span: whole }
      } else {
        return value
      }
    }
  }

  /** primary = literal | "(" expression ")" | "*" | quotedName | word | word "(" [arguments] ")" */
  private primary(): Expression {
    const token = this.peek()
    const { span } = token
    if (token.kind === 'string') return { kind: 'literal', value: { type: 'string', value: this.next().text }, span }
    if (token.kind === 'number') {
      this.next()
      return { kind: 'literal', value: token.value, span }
    }
    if (this.acceptSymbol('(')) {
      const inner = this.tabular() ?? this.expression()
      this.expectSymbol(')', 'to close the bracket')
      return inner
    }
    if (this.acceptSymbol('*')) return { kind: 'star', span }
    if (this.isSymbol('[')) {
      const name = this.quotedName()
      return { kind: 'name', name, span: spanning(span, this.previousSpan()) }
    }
    if (token.kind !== 'word') this.fail('a value')
    if (this.isSymbol('(', 1)) return this.call()
    this.next()
    const constant = CONSTANTS.get(token.text)
    return constant ? { kind: 'literal', value: constant, span } : { kind: 'name', name: token.text, span }
  }

  /** tabular = pipeline — where a `|` comes before the bracket around it is closed */
  protected tabular(): Expression | undefined {
    if (!this.#queries.has(this.peek())) return undefined
    const pipeline = this.pipeline()
    return { kind: 'tabular', pipeline, span: pipeline.span }
  }

  /** quotedName = "[" string "]" */
  quotedName(): string {
    this.expectSymbol('[', 'before a quoted name')
    const token = this.next()
    if (token.kind !== 'string')
      throw new CompileError(
        'syntax',
        `expected a string, found ${describeToken(token)}`,
        token.span,
        "a name is quoted as ['name']",
      )
    this.expectSymbol(']', 'after the quoted name')
    return token.text
  }

  /** call = word "(" [ expression { "," expression } ] ")" | "dynamic" "(" json ")" | ("datetime"|"timespan") "(" raw ")" */
  private call(): Expression {
    const name = this.next()
    this.next()
    const raw = this.peek()
    if (raw.kind === 'raw') {
      this.next()
      const close = this.expectSymbol(')', 'after the value')
      return { kind: 'literal', value: rawValue(name.text, raw.text, raw.span), span: spanning(name.span, close.span) }
    }
    if (name.text === 'dynamic') {
      const value = this.json()
      const close = this.expectSymbol(')', 'after the dynamic value')
      const span = spanning(name.span, close.span)
      return typeof value === 'string' ? { ...dynamicOf(value), span } : { ...value, span }
    }
    const items = this.isSymbol(')') ? [] : this.list(() => this.argument(name.text))
    const close = this.expectSymbol(')', `to close the arguments of ${name.text}()`)
    const names = items.map((item) => item.name)
    return {
      kind: 'call',
      name: name.text,
      arguments: items.map(({ expression }) => expression),
      ...(names.some((given) => given !== undefined) && { names }),
      span: spanning(name.span, close.span),
    } satisfies Call
  }

  /** argument = pipeline | expression — of `arg_max` and `arg_min` also: name "=" expression */
  private argument(called: string): Named {
    if (TAKES_NAMES.test(called)) return this.named()
    const expression = this.tabular() ?? this.expression()
    return { expression, span: expression.span }
  }

  /** As JSON text, or where a field is in it as the call that packs it.
   *  json = string | ["-"] number | true | false | null | "[" [json {"," json}] "]" | "{" [string ":" json {"," …}] "}" | datetime(…) | timespan(…) */
  private json(): string | Expression {
    return this.nested(() => {
      const token = this.peek()
      if (token.kind === 'string') return JSON.stringify(this.next().text)
      if (this.acceptSymbol('[')) {
        const items = this.isSymbol(']') ? [] : this.list(() => this.jsonInside(), CONSTANTS_MAX)
        this.expectSymbol(']', 'after the array')
        return items.every((item) => typeof item === 'string')
          ? `[${items.join(',')}]`
          : { kind: 'call', name: 'pack_array', arguments: items.map(asExpression), span: token.span }
      }
      if (this.acceptSymbol('{')) {
        const entries = this.isSymbol('}') ? [] : this.list(() => this.jsonEntry())
        this.expectSymbol('}', 'after the object')
        return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')
          ? `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`
          : { kind: 'call', name: 'bag_pack', arguments: entries.flatMap(packed), span: token.span }
      }
      const value = this.prefix()
      const negative = value.kind === 'negation'
      const literal = negative ? value.operand : value
      // In an array or an object a field is meant; alone it would be parse_json().
      if (literal.kind !== 'literal' && this.#jsonDepth > 0) return value
      if (literal.kind !== 'literal')
        throw new CompileError(
          'syntax',
          'dynamic() takes a JSON literal',
          value.span,
          'to pack fields use pack_array() or bag_pack()',
        )
      switch (literal.value.type) {
        case 'integer':
          return String(negative ? -literal.value.value : literal.value.value)
        case 'real':
          return JSON.stringify(negative ? -literal.value.value : literal.value.value)
        case 'boolean':
          return String(literal.value.value)
        case 'null':
          return 'null'
        case 'dynamic':
          return literal.value.json
        default:
          throw new CompileError('syntax', 'dynamic() takes JSON values only', value.span)
      }
    })
  }

  private jsonInside(): string | Expression {
    this.#jsonDepth += 1
    try {
      return this.json()
    } finally {
      this.#jsonDepth -= 1
    }
  }

  private jsonEntry(): [string, string | Expression] {
    const key = this.next()
    if (key.kind !== 'string')
      throw new CompileError('syntax', `expected a string as the key, found ${describeToken(key)}`, key.span)
    this.expectSymbol(':', 'after the key')
    return [key.text, this.jsonInside()]
  }

  /** named = [ (name | string) "=" ] expression — the name may be dotted */
  named(): Named {
    const first = this.expression()
    this.#columnsWritten += 1
    if (this.#columnsWritten > COLUMNS_WRITTEN_MAX)
      throw new CompileError(
        'limit',
        `the query writes more than ${COLUMNS_WRITTEN_MAX} columns, of which this is the next`,
        first.span,
      )
    const name = first.kind === 'literal' && first.value.type === 'string' ? first.value.value : dottedName(first)
    if (name === undefined || !this.acceptSymbol('=')) return { expression: first, span: first.span }
    const expression = this.expression()
    return { name, expression, span: spanning(first.span, expression.span) }
  }

  /** sortKey = expression [ "asc" | "desc" ] [ "nulls" ("first"|"last") ] */
  sortKey(): SortKey {
    const expression = this.expression()
    const descending = this.acceptWord('asc', 'desc') !== 'asc'
    const nulls = this.acceptWord('nulls') ? this.expectOneOf(['first', 'last'] as const, 'place for nulls') : undefined
    return { expression, descending, ...(nulls && { nulls }), span: spanning(expression.span, this.previousSpan()) }
  }

  /** pattern = quotedName ["*"] | string | (word | "*") { ("." | "-" | "*" | word) without blanks between } */
  pattern(): Pattern {
    const first = this.peek()
    if (this.isSymbol('[')) {
      const name = this.quotedName()
      const isOpen = this.isSymbol('*') && this.peek().span.start === this.previousSpan().end
      if (isOpen) this.next()
      const span = spanning(first.span, this.previousSpan())
      return isOpen ? { pattern: `${name}*`, span } : { pattern: name, exact: true, span }
    }
    if (first.kind === 'string') return { pattern: this.next().text, exact: true, span: first.span }
    if (first.kind !== 'word' && !this.isSymbol('*')) this.fail('a field name')
    let pattern = this.next().text
    while (
      this.peek().span.start === this.previousSpan().end &&
      (this.peek().kind === 'word' || this.isSymbol('*') || this.isSymbol('.'))
    ) {
      pattern += this.next().text
    }
    return { pattern, span: spanning(first.span, this.previousSpan()) }
  }

  /** columnName = quotedName | word { "." word } */
  columnName(): string {
    const { pattern, exact, span } = this.pattern()
    if (pattern.includes('*') && !exact) throw new CompileError('syntax', 'a name is needed here, not a pattern', span)
    return pattern
  }
}

/** Aggregations whose results can be named one by one. */
const TAKES_NAMES = /^arg_m(?:in|ax)$/

function dynamicOf(json: string): Omit<Extract<Expression, { kind: 'literal' }>, 'span'> {
  return { kind: 'literal', value: json === 'null' ? { type: 'null' } : { type: 'dynamic', json } }
}

/** JSON text as the literal it is. */
const asExpression = (item: string | Expression): Expression =>
  typeof item === 'string' ? { ...dynamicOf(item), span: NOWHERE } : item

const packed = ([key, value]: readonly [string, string | Expression]): Expression[] => [
  { kind: 'literal', value: { type: 'string', value: key }, span: NOWHERE },
  asExpression(value),
]

function binary(operator: BinaryOperator, left: Expression, right: Expression): Expression {
  return { kind: 'binary', operator, left, right, span: spanning(left.span, right.span) }
}

function rawValue(name: string, text: string, span: Span): LiteralValue {
  const isSpan = name === 'timespan' || name === 'time'
  const value = isSpan ? parseTimespan(text) : parseDatetime(text)
  if (value) return value
  throw new CompileError(
    'syntax',
    `"${text}" is not a ${isSpan ? 'timespan' : 'point in time'}`,
    span,
    isSpan ? 'write 1h, 1.5d or 00:30:00' : 'write datetime(2026-01-31T12:00:00Z)',
  )
}

/** `a`, `a.b`, `['a b'].c` as one name; `undefined` for anything else. */
export function dottedName(expression: Expression): string | undefined {
  if (expression.kind === 'name') return expression.name
  if (expression.kind !== 'member') return undefined
  const head = dottedName(expression.object)
  return head === undefined ? undefined : `${head}.${expression.key}`
}
