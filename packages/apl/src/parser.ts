/**
 * A whole query: the statements before the pipeline, and the pipeline.
 * Deliberately not here: pipelines (`pipeline-parser.ts`), and whether anything named exists.
 */
import type { Expression, Let, LetFunction, Pipeline, QueryTree } from './ast.ts'
import { CompileError } from './error.ts'
import { lex } from './lexer.ts'
import { checkDepth } from './limits.ts'
import { PipelineParser } from './pipeline-parser.ts'
import { spanning } from './source.ts'
import { describeToken } from './token.ts'
import { COLUMN_TYPES, typedName } from './typed-names.ts'

/**
 * Reads a whole query text.
 * @throws CompileError with code `syntax`, `unknown_name`, `unsupported` or `limit`
 */
export function parseQuery(text: string): QueryTree {
  const parser = new Parser(lex(text))
  const query = parser.query()
  checkDepth(query)
  return query
}

/** Reads a text that is one expression, such as a virtual field of a legacy query. */
export function parseExpression(text: string): Expression {
  const parser = new Parser(lex(text))
  const expression = parser.whole(() => parser.expression())
  checkDepth(expression)
  return expression
}

const SOURCES_IN_WORDS = new Set(['datatable', 'externaldata', 'search'])

class Parser extends PipelineParser {
  whole<T>(read: () => T): T {
    const found = read()
    if (this.peek().kind !== 'end') this.fail('the end')
    return found
  }

  /** query = { (let | declare | set) ";" } pipeline [";"] */
  query(): QueryTree {
    const start = this.peek().span
    const lets: Let[] = []
    const settings: string[] = []
    while (true) {
      if (this.isWord('set') && this.peek(1).kind === 'word') settings.push(this.setting())
      else if (this.isWord('let') && this.peek(1).kind === 'word') lets.push(this.letStatement())
      else if (this.isWord('declare') && this.isWord('query_parameters', 1)) lets.push(...this.parameters())
      else if (!this.acceptSymbol(';')) break
    }
    if (this.peek().kind === 'end' && this.previous().text === ';')
      throw new CompileError(
        'syntax',
        'a query is missing behind the last ";"',
        this.previousSpan(),
        "write ['dataset'] | …, or print name",
      )
    if (this.peek().kind === 'end') this.fail('a dataset')
    const pipeline = this.pipeline()
    while (this.acceptSymbol(';'));
    if (this.peek().kind !== 'end') this.fail('"|" or the end of the query')
    return { kind: 'query', ...(settings.length > 0 && { settings }), lets, pipeline, span: spanning(start, this.previousSpan()) }
  }

  /** set = "set" word ["=" expression] ";" */
  private setting(): string {
    this.next()
    const { text } = this.next()
    if (this.acceptSymbol('=')) this.expression()
    this.expectSymbol(';', 'after the statement')
    return text
  }

  /** let = "let" word "=" (function | pipeline | expression) ";" */
  private letStatement(): Let {
    const { span } = this.next()
    const name = this.next().text
    this.expectSymbol('=', 'after the name')
    const value = this.letFunction() ?? this.letBody()
    if (value.kind === 'let-function') this.functions.add(name)
    if (this.peek().kind !== 'end') this.expectSymbol(';', 'after the statement')
    return { name, value, span: spanning(span, this.previousSpan()) }
  }

  private letBody(): Expression | Pipeline {
    return this.isPipelineAhead() ? this.pipeline() : this.expression()
  }

  /** function = "(" [ word ":" (type | "(" "*" ")") ["=" expression] {"," …} ] ")" "{" (pipeline | expression) [";"] "}" */
  private letFunction(): LetFunction | undefined {
    const start = this.peek().span
    const begins =
      this.isSymbol('(') &&
      ((this.isSymbol(')', 1) && this.isSymbol('{', 2)) || (this.peek(1).kind === 'word' && this.isSymbol(':', 2)))
    if (!begins) return undefined
    this.next()
    const parameters = this.isSymbol(')') ? [] : this.list(() => this.parameter())
    this.expectSymbol(')', 'after the parameters')
    this.expectSymbol('{', 'before the body of the function')
    const body = this.letBody()
    this.acceptSymbol(';')
    this.expectSymbol('}', 'after the body of the function')
    return { kind: 'let-function', parameters, body, span: spanning(start, this.previousSpan()) }
  }

  private parameter(): LetFunction['parameters'][number] {
    const name = this.next()
    if (name.kind !== 'word') throw new CompileError('syntax', `expected a name, found ${describeToken(name)}`, name.span)
    this.expectSymbol(':', 'after the name')
    if (this.isSymbol('(')) return { name: name.text, type: this.tableType() }
    const type = this.expectOneOf(COLUMN_TYPES, 'type')
    return this.acceptSymbol('=') ? { name: name.text, type, default: this.expression() } : { name: name.text, type }
  }

  /** "(" ("*" | word ":" type {"," …}) ")" — which columns rows must have is not checked here: their use does that */
  private tableType(): string {
    this.next()
    if (!this.acceptSymbol('*')) this.list(() => typedName(this))
    this.expectSymbol(')', 'after the columns')
    return '(*)'
  }

  /** Whether a `|` comes before the statement, or the body of the function, ends. */
  private isPipelineAhead(): boolean {
    if (this.isWord('print') || this.isWord('union') || this.isWordBefore('table') || this.isWordBefore('materialize'))
      return true
    if (SOURCES_IN_WORDS.has(this.peek().text) && this.peek().kind === 'word' && this.peek(1).text !== '=') return true
    for (let ahead = 0, depth = 0; depth >= 0; ahead++) {
      const { kind, text } = this.peek(ahead)
      if (kind === 'end') return false
      if (kind !== 'symbol') continue
      if (depth === 0 && text === '|') return true
      if (text === '(' || text === '[' || text === '{') depth += 1
      else if (text === ')' || text === ']' || text === '}') depth -= 1
      else if (text === ';' && depth === 0) return false
    }
    return false
  }

  /** declare = "declare" "query_parameters" "(" name ":" type ["=" expression] {"," …} ")" ";" */
  private parameters(): Let[] {
    this.next()
    this.next()
    this.expectSymbol('(', 'after query_parameters')
    const lets = this.list((): Let => {
      const name = this.next()
      if (name.kind !== 'word') throw new CompileError('syntax', `expected a name, found ${describeToken(name)}`, name.span)
      this.expectSymbol(':', 'after the name')
      const parameter = this.expectOneOf(
        ['string', 'long', 'int', 'real', 'double', 'bool', 'datetime', 'timespan', 'dynamic'] as const,
        'type',
      )
      const value: Expression = this.acceptSymbol('=')
        ? this.expression()
        : { kind: 'literal', value: { type: 'null' }, span: name.span }
      return { name: name.text, value, parameter, span: spanning(name.span, this.previousSpan()) }
    })
    this.expectSymbol(')', 'after the parameters')
    this.expectSymbol(';', 'after the statement')
    return lets
  }
}
