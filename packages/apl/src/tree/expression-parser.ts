/**
 * Expressions, read by a Pratt parser over the tokens: one method for each production, its grammar in the comment.
 * Values, the JSON of `dynamic(…)` and infix operators contain each other.
 */

import { before, behind, between, CompileError, type Edit, NOWHERE, type Span, spanning } from '../error.ts'
import { COLUMNS_WRITTEN_MAX, CONSTANTS_MAX, NESTING_DEPTH_MAX, OPERANDS_MAX } from '../limits.ts'
import { adviceOnFunction } from '../mistakes/functions.ts'
import { mistakenPair } from '../mistakes/pairs.ts'
import { VALUE } from '../mistakes/tokens.ts'
import { BINDING, type BinaryOperator, COMPARISONS, LIST_OPERATORS, type ListOperator, TEXT_OPERATORS } from '../text/infix.ts'
import { INTEGER_MIN, jsonOf, type LiteralValue, negated, parseDatetime, parseTimespan } from '../text/literal.ts'
import { writeName } from '../text/nearest.ts'
import { describeToken, nesting, type Token } from '../text/token.ts'
import type { Call, Expression, Named, Pipeline, SortKey, UnionMembers } from './ast.ts'
import { dottedName } from './expression-name.ts'
import { findBracketed, TokenReader } from './token-reader.ts'

const CONSTANTS = new Map<string, LiteralValue>([
  ['true', { type: 'boolean', value: true }],
  ['false', { type: 'boolean', value: false }],
  ['null', { type: 'null' }],
])

/** Aggregations whose results can be named one by one. */
const TAKES_NAMES = /^arg_m(?:in|ax)$/

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

/** Reads expressions. The parser of whole queries extends it, because a query may stand inside an expression. */
export abstract class ExpressionParser extends TokenReader {
  #depth = 0
  #jsonDepth = 0

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

  /** A literal, or where a field is in it the call that packs it.
   *  json = string | ["-"] number | true | false | null | "[" [json {"," json}] "]" | "{" [string ":" json {"," …}] "}" | datetime(…) | timespan(…) */
  protected json(): Expression {
    return this.nested(() => {
      const { kind, span } = this.peek()
      if (kind === 'string') return { kind: 'literal', value: { type: 'string', value: this.next().text }, span }
      if (this.acceptSymbol('[')) {
        const items = this.isSymbol(']') ? [] : this.list(() => this.jsonInside(), CONSTANTS_MAX)
        this.expectSymbol(']', 'after the array')
        const texts = items.map(jsonText)
        if (isEveryText(texts)) return { ...dynamic(`[${texts.join(',')}]`), span }
        return { kind: 'call', name: 'pack_array', arguments: items.map(asDynamic), span }
      }
      if (this.acceptSymbol('{')) {
        const entries = this.isSymbol('}') ? [] : this.list(() => this.jsonEntry())
        this.expectSymbol('}', 'after the object')
        const texts = entries.map(([, value]) => jsonText(value))
        const members = entries.map(([key], at) => `${JSON.stringify(key.text)}:${texts[at]}`)
        if (isEveryText(texts)) return { ...dynamic(`{${members.join(',')}}`), span }
        const packed = entries.flatMap(([key, value]) => [textLiteral(key), asDynamic(value)])
        return { kind: 'call', name: 'bag_pack', arguments: packed, span }
      }
      return this.jsonScalar()
    })
  }

  private jsonScalar(): Expression {
    // Inside, `0.5 * pi()` is computed; a comparison is none, because `:` is one.
    const value = this.#jsonDepth > 0 ? this.expression(BINDING.comparison) : this.prefix()
    const isNegative = value.kind === 'negation'
    const literal = isNegative ? value.operand : value
    // In an array or an object a field is meant; alone it would be parse_json().
    if (literal.kind !== 'literal' && this.#jsonDepth > 0) return value
    const hint = 'to pack fields use pack_array() or bag_pack()'
    if (literal.kind !== 'literal') throw new CompileError('syntax', 'dynamic() takes a JSON literal', value.span, hint)
    if (literal.value.type === 'string') throw new CompileError('syntax', 'dynamic() takes JSON values only', value.span)
    return { ...literal, value: (isNegative && negated(literal.value)) || literal.value }
  }

  private jsonInside(): Expression {
    this.#jsonDepth += 1
    try {
      return this.json()
    } finally {
      this.#jsonDepth -= 1
    }
  }

  private jsonEntry(): [Token, Expression] {
    const key = this.next()
    if (key.kind !== 'string')
      throw new CompileError('syntax', `expected a string as the key, found ${describeToken(key)}`, key.span)
    this.expectSymbol(':', 'after the key')
    return [key, this.jsonInside()]
  }

  readonly #queries: ReadonlySet<Token>

  constructor(tokens: readonly Token[]) {
    super(tokens)
    this.#queries = findBracketed(tokens)
  }

  abstract pipeline(): Pipeline

  /** prefix = ("-"|"+") prefix | "not" … is a function | primary { "." name | "[" expression "]" } */
  private prefix(): Expression {
    const { span } = this.peek()
    if (this.acceptSymbol('+')) return this.nested(() => this.prefix())
    if (this.acceptSymbol('-')) {
      // Without its sign the smallest integer is none.
      if (this.peek().kind === 'number' && this.peek().text === String(-INTEGER_MIN)) {
        const value = { type: 'integer', value: INTEGER_MIN } as const
        return { kind: 'literal', value, span: spanning(span, this.next().span) }
      }
      const operand = this.nested(() => this.prefix())
      return { kind: 'negation', operand, span: spanning(span, operand.span) }
    }
    let value = this.primary()
    while (true) {
      if (this.acceptSymbol('.')) {
        const key = this.peek()
        // `a.[0]` is `a[0]`.
        if (this.isSymbol('[') && this.peek(1).kind !== 'string') continue
        if (this.isSymbol('[')) {
          const quoted = this.quotedName()
          value = { kind: 'member', object: value, key: quoted, quoted: true, span: spanning(span, this.previousSpan()) }
          continue
        }
        if (key.kind !== 'word') this.fail('a name after "."')
        if (this.isSymbol('(', 1)) this.refuseMethod(value)
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
      if (this.isSymbol(','))
        throw new CompileError(
          'syntax',
          'a list stands where one value is needed',
          spanning(span, this.peek().span),
          'write in (1, 2), or dynamic([1, 2])',
        )
      this.expectSymbol(')', 'to close the bracket')
      return inner
    }
    if (this.acceptSymbol('*')) return { kind: 'star', span }
    if (this.isSymbol('[')) {
      this.refuseArray()
      const name = this.quotedName()
      return { kind: 'name', name, span: spanning(span, this.previousSpan()) }
    }
    if (token.kind !== 'word' || ((token.text === 'and' || token.text === 'or') && !this.isSymbol('(', 1))) this.fail(VALUE)
    if (this.isSymbol('(', 1)) return this.call()
    this.next()
    const constant = CONSTANTS.get(token.text)
    return constant ? { kind: 'literal', value: constant, span } : { kind: 'name', name: token.text, span }
  }

  /** How many places on the bracket that begins here is closed; 0 where it is not. */
  protected closing(): number {
    for (let ahead = 0, depth = 0; this.peek(ahead).kind !== 'end'; ahead++) {
      const change = nesting(this.peek(ahead))
      depth += change
      if (change < 0 && depth === 0) return ahead
    }
    return 0
  }

  /** `[1, 2]` where a name in quotes is what can stand in such brackets. */
  private refuseArray(): void {
    if (this.peek(1).kind === 'string' && !this.isSymbol(',', 2)) return
    const [open, first, close] = [this.peek().span, this.peek(1), this.closing()]
    if (first.kind === 'word' && close === 2) return
    const hint = 'write dynamic([1, 2]) of constants, and pack_array(a, b) of fields'
    const fix = [
      { span: open, text: 'pack_array(' },
      { span: this.peek(close).span, text: ')' },
    ]
    throw new CompileError('syntax', 'an array is made by a function', open, close > 0 ? { hint, fix } : hint)
  }

  /** `path.startsWith('a')`, behind the dot. */
  private refuseMethod(value: Expression): never {
    const name = this.peek()
    const word = name.text.toLowerCase() === 'includes' ? 'contains' : name.text.toLowerCase()
    const message = `values have no functions behind a dot, such as ${name.text}()`
    if (!TEXT_OPERATORS.has(word))
      throw new CompileError('syntax', message, name.span, adviceOnFunction(name.text)?.hint ?? `write ${word}(value)`)
    this.next()
    const [open, close] = [this.peek().span, this.peek(this.closing()).span]
    throw new CompileError('syntax', message, name.span, {
      hint: `write field ${word} 'text'`,
      fix: [
        { span: { start: value.span.end, end: open.end }, text: ` ${word} ` },
        { span: close, text: '' },
      ],
    })
  }

  /** tabular = pipeline — where a `|` comes before the bracket around it is closed */
  protected tabular(): Expression | undefined {
    if (!this.#queries.has(this.peek())) return undefined
    const pipeline = this.pipeline()
    return { kind: 'tabular', pipeline, span: pipeline.span }
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
      const value = asDynamic(this.json())
      const close = this.expectSymbol(')', 'after the dynamic value')
      return { ...value, span: spanning(name.span, close.span) }
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

  #columnsWritten = 0

  /** The other side of a union or a join: a dataset, or a pipeline in brackets. */
  abstract branch(): Pipeline
  /** The members of a union: those, or patterns of datasets; and the column for their names. */
  abstract unionMembers(): UnionMembers

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
    const pair = mistakenPair((ahead) => this.peek(ahead))
    if (pair) throw pair
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
    this.refuseChain(left)
    let operator = this.next().text
    if (operator === 'matches') operator = `matches ${this.next().text}`
    if (operator === '<>') operator = '!='
    return binary(operator as BinaryOperator, left, this.expression(BINDING.comparison))
  }

  /** `1 < x < 5`: what is in brackets ends behind its own end. */
  private refuseChain(left: Expression): void {
    if (left.kind !== 'binary' || !COMPARISONS.has(left.operator) || left.span.end !== this.previousSpan().end) return
    const hint = 'write a < b and b < c, or b between (a .. c)'
    const fix = left.right.kind === 'name' ? [behind(left.span, ` and ${writeName(left.right.name)}`)] : []
    throw new CompileError('syntax', 'comparisons cannot be chained', this.peek().span, fix.length > 0 ? { hint, fix } : hint)
  }

  /** listOperation = expression ("in" | "has_any" | …) ( "(" [expression {"," expression}] ")" | primary ) */
  private listOperation(value: Expression, operator: ListOperator): Expression {
    const { span: word } = this.next()
    let list: Expression[] = []
    if (this.acceptSymbol('(')) {
      if (!this.isSymbol(')')) list = this.list(() => this.tabular() ?? this.expression(), CONSTANTS_MAX)
      if (this.isSymbol('..')) this.refuseRangeInList(operator, word)
      this.expectSymbol(')', 'after the list')
    } else {
      this.refuseOpenList()
      list = [this.expression(BINDING.comparison)]
    }
    return { kind: 'in-list', operator, value, list, span: spanning(value.span, this.previousSpan()) }
  }

  /** `in (200 .. 299)`. */
  private refuseRangeInList(operator: ListOperator, word: Span): never {
    const written = operator.startsWith('!') ? '!between' : 'between'
    throw new CompileError('syntax', 'a list has values, and no range', this.peek().span, {
      hint: `write ${written} (low .. high)`,
      fix: [{ span: word, text: written }],
    })
  }

  /** `in [1, 2]` and `in 1, 2`. */
  private refuseOpenList(): void {
    const isSquare = this.isSymbol('[') && !(this.peek(1).kind === 'string' && this.isSymbol(']', 2))
    const isLiteral = (ahead: number) => this.peek(ahead).kind === 'string' || this.peek(ahead).kind === 'number'
    if (!isSquare && !(isLiteral(0) && this.isSymbol(',', 1) && isLiteral(2))) return
    let last = 0
    if (isSquare) last = this.closing()
    else while (this.isSymbol(',', last + 1) && isLiteral(last + 2)) last += 2
    const [first, end] = [this.peek().span, this.peek(last).span]
    const whole = spanning(first, end)
    const inside = isSquare ? { start: first.end, end: end.start } : whole
    const fix = [
      { span: { start: whole.start, end: inside.start }, text: '(' },
      { span: { start: inside.end, end: whole.end }, text: ')' },
    ]
    throw new CompileError('syntax', 'a list is in round brackets', whole, { hint: 'write in (1, 2)', fix })
  }

  /** between = expression ["!"] "between" "(" expression ".." expression ")" */
  private between(value: Expression, negated: boolean): Expression {
    this.next()
    if (!this.isSymbol('(')) this.refuseRange(this.expression(BINDING.comparison), ['(', ')'])
    this.expectSymbol('(', 'after between')
    const low = this.expression()
    if (low.kind === 'logical' || this.isSymbol(',')) this.refuseRange(low)
    this.expectSymbol('..', 'between the two ends')
    const high = this.expression()
    this.expectSymbol(')', 'after the range')
    return { kind: 'between', negated, value, low, high, span: spanning(value.span, this.previousSpan()) }
  }

  /** `between 1 and 5`, `between (1, 5)`: what stands between the ends is to be `..`. */
  private refuseRange(low: Expression, [open, close] = ['', '']): never {
    const fix: Edit[] = []
    if (low.kind === 'logical' && low.operands.length === 2) {
      const [first, second] = low.operands as [Expression, Expression]
      fix.push({ span: between(first.span, second.span), text: ' .. ' })
    } else if (this.isSymbol(',') || this.isWord('and') || this.isWord('AND') || this.isSymbol('..')) {
      const joint = { start: low.span.end, end: this.next().span.end }
      const high = this.expression(BINDING.comparison)
      fix.push(before(low.span, open), { span: joint, text: ' ..' }, behind(high.span, close))
    }
    const hint = 'write between (low .. high)'
    throw new CompileError('syntax', 'a range is written (low .. high)', low.span, fix.length > 0 ? { hint, fix } : hint)
  }

  /** names = "(" name {"," name} ")" "=" — of what an aggregation gives, as `(latest, path) = arg_max(_time, path)` */
  private names(): string[] | undefined {
    if (!this.isSymbol('(') || !this.isSymbol('=', this.closing() + 1)) return undefined
    this.next()
    const names = this.list(() => this.columnName())
    this.expectSymbol(')', 'after the names')
    this.next()
    return names
  }

  /** named = [ (name | string) "=" | names ] expression — the name may be dotted */
  named(): Named {
    const { span: start } = this.peek()
    const names = this.names()
    const first = this.expression()
    const span = spanning(start, first.span)
    // What there is instead of a function of Kusto is said where its name is looked up.
    if (names && first.kind === 'call' && (TAKES_NAMES.test(first.name) || adviceOnFunction(first.name)))
      return { expression: { ...first, names }, span }
    const hint = 'write name = …, and name[0] for a part of it'
    if (names) throw new CompileError('syntax', 'one value has one name', span, hint)
    this.#columnsWritten += 1
    if (this.#columnsWritten > COLUMNS_WRITTEN_MAX)
      throw new CompileError(
        'limit',
        `the query writes more than ${COLUMNS_WRITTEN_MAX} columns, of which this is the next`,
        first.span,
      )
    this.refuseAs(start)
    const name = first.kind === 'literal' && first.value.type === 'string' ? first.value.value : dottedName(first)
    if (name === undefined || !this.acceptSymbol('=')) return { expression: first, span: first.span }
    const expression = this.expression()
    return { name, expression, span: spanning(first.span, expression.span) }
  }

  /** `expression as name`, from where the expression began. */
  private refuseAs(start: Span): void {
    const [word, name] = [this.peek(), this.peek(1)]
    if (word.kind !== 'word' || word.text.toLowerCase() !== 'as' || name.kind !== 'word') return
    const fix = [before(start, `${name.text} = `), { span: { start: this.previousSpan().end, end: name.span.end }, text: '' }]
    throw new CompileError('syntax', 'a column is named before its value', word.span, { hint: 'write name = expression', fix })
  }

  /** sortKey = expression [ "asc" | "desc" ] [ "nulls" ("first"|"last") ] */
  sortKey(): SortKey {
    const expression = this.expression()
    const descending = this.acceptWord('asc', 'desc') !== 'asc'
    const nulls = this.acceptWord('nulls') ? this.expectOneOf(['first', 'last'] as const, 'place for nulls') : undefined
    return { expression, descending, ...(nulls && { nulls }), span: spanning(expression.span, this.previousSpan()) }
  }
}

/** An operation that spans its operands. */
export function binary(operator: BinaryOperator, left: Expression, right: Expression): Expression {
  return { kind: 'binary', operator, left, right, span: spanning(left.span, right.span) }
}

const dynamic = (json: string) => ({ kind: 'literal', value: { type: 'dynamic', json } }) as const
const textLiteral = ({ text }: Token): Expression => ({ kind: 'literal', value: { type: 'string', value: text }, span: NOWHERE })

/** The JSON text of a literal; nothing for what is computed. */
const jsonText = (node: Expression): string | undefined => (node.kind === 'literal' ? jsonOf(node.value) : undefined)
const isEveryText = (texts: readonly (string | undefined)[]) => texts.every((text) => text !== undefined)

/** A literal as the JSON that it is. */
function asDynamic(node: Expression): Expression {
  const json = jsonText(node)
  return json === undefined || json === 'null' ? node : { ...dynamic(json), span: NOWHERE }
}
