/**
 * Statements and pipelines. Operators read themselves (`operators/`); expressions are in `expression-parser.ts`.
 * Deliberately not here: whether anything named exists.
 */
import type { Expression, Let, Named, Operator, Pipeline, QueryTree, Source } from './ast.ts'
import { CompileError } from './error.ts'
import { ExpressionParser } from './expression-parser.ts'
import { lex } from './lexer.ts'
import { checkDepth, OPERATORS_MAX } from './limits.ts'
import { adviceOnOperator, mistakeAt, mistakenSource } from './mistakes.ts'
import { didYouMean } from './nearest.ts'
import { KEYWORDS, OPERATORS } from './operators/table.ts'
import { spanning } from './source.ts'
import { describeToken } from './token.ts'

/** Operators of the language that are known and not supported, so that they are not reported as spelling mistakes. */
const LACKING = new Set(
  'as consume evaluate extend-valid externaldata facet find fork invoke mv-apply parse-kv partition project-smart redact reduce render sample-distinct scan serialize top-nested'.split(
    ' ',
  ),
)
const LACKING_SOURCES = new Set(['datatable', 'externaldata', 'range', 'find', 'search'])

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

class Parser extends ExpressionParser {
  #operators = 0

  whole<T>(read: () => T): T {
    const found = read()
    if (this.peek().kind !== 'end') this.fail('the end')
    return found
  }

  /** query = { (let | declare) ";" } pipeline [";"] */
  query(): QueryTree {
    const start = this.peek().span
    const lets: Let[] = []
    while (true) {
      if (this.isWord('let') && this.peek(1).kind === 'word') lets.push(this.letStatement())
      else if (this.isWord('declare') && this.isWord('query_parameters', 1)) lets.push(...this.parameters())
      else if (!this.acceptSymbol(';')) break
    }
    if (this.peek().kind === 'end') this.fail('a dataset')
    const pipeline = this.pipeline()
    while (this.acceptSymbol(';'));
    if (this.peek().kind !== 'end') this.fail('"|" or the end of the query')
    return { kind: 'query', lets, pipeline, span: spanning(start, this.previousSpan()) }
  }

  /** let = "let" word "=" (pipeline | expression) ";" */
  private letStatement(): Let {
    const { span } = this.next()
    const name = this.next().text
    this.expectSymbol('=', 'after the name')
    const value = this.isPipelineAhead() ? this.pipeline() : this.expression()
    if (this.peek().kind !== 'end') this.expectSymbol(';', 'after the statement')
    return { name, value, span: spanning(span, this.previousSpan()) }
  }

  /** Whether a `|` comes before the statement ends. */
  private isPipelineAhead(): boolean {
    if (this.isWord('print') || this.isWord('union')) return true
    for (let ahead = 0; ; ahead++) {
      if (this.isSymbol('|', ahead)) return true
      if (this.isSymbol(';', ahead) || this.peek(ahead).kind === 'end') return false
    }
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

  /** pipeline = source { "|" operator } */
  pipeline(): Pipeline {
    return this.nested(() => {
      const source = this.source()
      const operators: Operator[] = []
      while (this.acceptSymbol('|')) operators.push(this.operator())
      return { kind: 'pipeline', source, operators, span: spanning(source.span, this.previousSpan()) }
    })
  }

  /** source = quotedName | string | name with hyphens | "print" columns | "union" branches | "(" pipeline ")" */
  private source(): Source {
    const token = this.peek()
    const mistaken = mistakenSource(token, this.peek(1), this.peek(2))
    if (mistaken) throw mistaken
    const { span } = token
    const until = () => spanning(span, this.previousSpan())
    if (this.isSymbol('[')) return { kind: 'dataset', name: this.quotedName(), span: until() }
    if (token.kind === 'string') return { kind: 'dataset', name: this.next().text, span }
    if (this.acceptSymbol('(')) {
      const pipeline = this.pipeline()
      this.expectSymbol(')', 'to close the bracket')
      return { kind: 'subquery', pipeline, span: until() }
    }
    if (this.isWord('print') && !this.isSymbol('|', 1)) {
      this.next()
      const columns = this.list((): Named => this.named())
      return { kind: 'print', columns, span: until() }
    }
    if (this.isWord('union') && !this.isSymbol('|', 1) && this.peek(1).kind !== 'end') {
      this.next()
      const members = this.list(() => this.branch())
      return { kind: 'union-of', members, span: until() }
    }
    const name = this.hyphenated()
    if (!name) this.fail("a dataset, such as ['name']")
    if (this.isSymbol('(') || LACKING_SOURCES.has(name.text))
      throw new CompileError(
        'unsupported',
        `"${name.text}" is not supported as a source`,
        name.span,
        "a query begins with a dataset, such as ['name']",
      )
    return { kind: 'dataset', name: name.text, span: name.span }
  }

  override fail(expected: string): never {
    const mistake = mistakeAt(this.peek(), this.previous(), (word) => KEYWORDS.has(word))
    if (mistake) throw mistake
    return super.fail(expected)
  }

  branch(): Pipeline {
    const source = this.source()
    // A bracketed pipeline is the branch itself, not a sub-query of one more.
    return source.kind === 'subquery' ? source.pipeline : { kind: 'pipeline', source, operators: [], span: source.span }
  }

  /** operator = keyword operands, as the operator's own file says */
  private operator(): Operator {
    const at = this.peek()
    const keyword = this.hyphenated()
    if (!keyword) this.fail('an operator')
    this.#operators += 1
    if (this.#operators > OPERATORS_MAX)
      throw new CompileError('limit', `the query has more than ${OPERATORS_MAX} operators`, at.span)
    const kind = KEYWORDS.get(keyword.text)
    if (!kind) throw unknownOperator(keyword)
    const body = OPERATORS[kind].parse(this, keyword.span, keyword.text)
    return { kind, ...body, span: spanning(keyword.span, this.previousSpan()) } as Operator
  }
}

function unknownOperator({ text, span }: { text: string; span: { start: number; end: number } }): CompileError {
  const hint = adviceOnOperator(text) ?? didYouMean(text, KEYWORDS.keys())
  return LACKING.has(text)
    ? new CompileError('unsupported', `operator "${text}" is not supported`, span, hint)
    : new CompileError('unknown_name', `operator "${text}" not found`, span, hint)
}
