/**
 * Single values: literals, names and what is behind their dots and in their brackets, calls of functions.
 * Deliberately not here: operators between values, and whether a function or a field exists.
 */
import type { Call, Expression, Named, Pipeline } from './ast.ts'
import { findBracketed } from './bracketed.ts'
import { CompileError, type Edit } from './error.ts'
import { TEXT_OPERATORS } from './infix.ts'
import { dynamicOf, JsonParser } from './json-parser.ts'
import { type LiteralValue, parseDatetime, parseTimespan } from './literal.ts'
import { adviceOnFunction } from './mistakes/functions.ts'
import { VALUE } from './mistakes/tokens.ts'
import { type Span, spanning } from './source.ts'
import type { Token } from './token.ts'

const CONSTANTS = new Map<string, LiteralValue>([
  ['true', { type: 'boolean', value: true }],
  ['false', { type: 'boolean', value: false }],
  ['null', { type: 'null' }],
])

/** Reads single values; the parser of expressions extends it. */
export abstract class PrimaryParser extends JsonParser {
  readonly #queries: ReadonlySet<Token>

  constructor(tokens: readonly Token[]) {
    super(tokens)
    this.#queries = findBracketed(tokens)
  }

  abstract named(): Named
  abstract pipeline(): Pipeline

  /** prefix = ("-"|"+") prefix | "not" … is a function | primary { "." name | "[" expression "]" } */
  protected override prefix(): Expression {
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
      const { kind, text } = this.peek(ahead)
      if (kind !== 'symbol') continue
      if (text === '(' || text === '[' || text === '{') depth += 1
      else if ((text === ')' || text === ']' || text === '}') && --depth === 0) return ahead
    }
    return 0
  }

  /** `[1, 2]` where a name in quotes is what can stand in such brackets. */
  private refuseArray(): void {
    if (this.peek(1).kind === 'string' && !this.isSymbol(',', 2)) return
    const [open, first, close] = [this.peek().span, this.peek(1), this.closing()]
    if (first.kind === 'word' && close === 2) return
    const hint = 'write dynamic([1, 2]) of constants, and pack_array(a, b) of fields'
    const mend: Edit[] = [
      { span: open, text: 'pack_array(' },
      { span: this.peek(close).span, text: ')' },
    ]
    throw new CompileError('syntax', 'an array is made by a function', open, close > 0 ? { hint, mend } : hint)
  }

  /** `path.startsWith('a')`, behind the dot. */
  private refuseMethod(value: Expression): never {
    const name = this.peek()
    const word = name.text.toLowerCase() === 'includes' ? 'contains' : name.text.toLowerCase()
    const message = `values have no functions behind a dot, such as ${name.text}()`
    if (!TEXT_OPERATORS.has(word))
      throw new CompileError('syntax', message, name.span, adviceOnFunction(name.text, name.span)?.hint ?? `write ${word}(value)`)
    this.next()
    const [open, close] = [this.peek().span, this.peek(this.closing()).span]
    throw new CompileError('syntax', message, name.span, {
      hint: `write field ${word} 'text'`,
      mend: [
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
}

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
