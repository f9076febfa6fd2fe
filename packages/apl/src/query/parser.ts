/**
 * A whole query: the statements before the pipeline, the source, and the pipeline of operators, which read themselves.
 * A query inside a query needs all three at once.
 */
import { before, CompileError, type Span, spanning } from '../error.ts'
import { findAggregate } from '../functions/aggregates.ts'
import { FUNCTIONS } from '../functions/table.ts'
import { CONSTANTS_MAX, checkDepth, OPERATORS_MAX } from '../limits.ts'
import { habitAt, type Look, surplus } from '../mistakes/habits.ts'
import { openLetAt } from '../mistakes/operands.ts'
import { adviceOnOperator, isLacking } from '../mistakes/operators.ts'
import { mistakenSource } from '../mistakes/sources.ts'
import { mistakeAt } from '../mistakes/tokens.ts'
import { JOIN_KINDS } from '../operators/join.ts'
import { KEYWORDS, OPERATORS } from '../operators/table.ts'
import { lex } from '../text/lexer.ts'
import { guessWord } from '../text/nearest.ts'
import { describeToken, nesting, type Token } from '../text/token.ts'
import type { Expression, Let, LetFunction, Named, Operator, Pipeline, QueryTree, Source, UnionMembers } from '../tree/ast.ts'
import { ExpressionParser } from '../tree/expression-parser.ts'
import { COLUMN_TYPES, typedName } from '../tree/typed-names.ts'

const patternBranch = (pattern: string, span: Span): Pipeline => ({
  kind: 'pipeline',
  source: { kind: 'dataset-pattern', pattern, span },
  operators: [],
  span,
})

/** The type of the items from one literal on, in steps of another; `undefined` where neither says it. */
function typeOfItems(from: Expression, step: Expression): string | undefined {
  const types = [from, step].map((node) => (node.kind === 'literal' ? node.value.type : undefined))
  if (types[1] === 'timespan') return types[0] === 'timespan' ? 'timespan' : 'datetime'
  if (types.includes('real')) return 'real'
  return types.every((type) => type === 'integer') ? 'long' : undefined
}

const externalData = (span: Span) =>
  new CompileError(
    'unsupported',
    'externaldata is not read: the service loads nothing from the network',
    span,
    "write the rows with datatable (name:type) ['…'], or ingest them as a dataset",
  )

const KNOWN_WORDS = {
  isOperator: (word: string) => KEYWORDS.has(word),
  isFunction: (word: string) => Object.hasOwn(FUNCTIONS, word) || findAggregate(word) !== undefined,
}
/** Words that begin a part of an operator, and no value. */
const JOINTS = new Set(['by', 'on', 'with', 'from', 'to', 'step', 'limit'])

function unknownOperator({ text, span }: { text: string; span: Span }, look: Look): CompileError {
  if (findAggregate(text))
    return new CompileError('unknown_name', `"${text}" is an aggregation, not an operator`, span, {
      hint: `write | summarize ${text}(…)`,
      fix: [before(span, 'summarize ')],
    })
  if (Object.hasOwn(FUNCTIONS, text))
    return new CompileError('unknown_name', `"${text}" is a function, not an operator`, span, `write | extend name = ${text}(…)`)
  const hint = adviceOnOperator(text, look) ?? guessWord(text, KEYWORDS.keys())
  return isLacking(text)
    ? new CompileError('unsupported', `operator "${text}" is not supported`, span, hint)
    : new CompileError('unknown_name', `operator "${text}" not found`, span, hint)
}

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
  const expression = parser.wholeExpression()
  checkDepth(expression)
  return expression
}

const LOOKS_AT_ROWS_ALONE: ReadonlySet<Operator['kind']> = new Set(['where', 'extend', 'parse', 'parse-kv', 'mv-expand'])

const SOURCES_IN_WORDS = new Set(['datatable', 'externaldata', 'search'])

class Parser extends ExpressionParser {
  /** `let` functions so far. */
  private functions = new Set<string>()

  /** source = quotedName | string | name with hyphens | "table" "(" name ")" | "print" columns | "union" branches | "(" pipeline ")" */
  private source(): Source {
    const token = this.peek()
    const mistaken = mistakenSource((ahead) => this.peek(ahead))
    if (mistaken) throw mistaken
    const { span } = token
    const until = () => spanning(span, this.previousSpan())
    if (this.isSymbol('[')) return { kind: 'dataset', name: this.quotedName(), span: until() }
    if (token.kind === 'string') return { kind: 'dataset', name: this.next().text, span }
    // The engine reads a sub-query once anyway, where that is quicker.
    if (this.isWordBefore('materialize')) this.next()
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
      return { kind: 'union-of', ...this.unionMembers(), span: until() }
    }
    if (this.isRange()) return this.range()
    if (this.isWordBefore('datatable')) return this.datatable()
    if (this.isWordBefore('externaldata')) throw externalData(span)
    if (this.isWordBefore('table')) return this.tableByName()
    if (this.isCallOfRows()) return this.callOfRows()
    const name = this.hyphenated()
    if (!name) this.fail("a dataset, such as ['name']")
    if (this.isSymbol('(') || name.text === 'find')
      throw new CompileError(
        'unsupported',
        `"${name.text}" is not supported as a source`,
        name.span,
        "a query begins with a dataset, such as ['name']; functions come behind it, as in | summarize count()",
      )
    return { kind: 'dataset', name: name.text, span: name.span }
  }

  private isRange(): boolean {
    return this.isWord('range') && this.isWord('from', 2)
  }

  /** range = "range" name "from" expression "to" expression "step" expression — the items of the function, a row for each */
  private range(): Source {
    const { span: first } = this.next()
    const name = this.columnName()
    const ends = ['from', 'to', 'step'].map((word) => {
      this.expectWord(word, 'of range')
      return this.expression()
    }) as [Expression, Expression, Expression]
    const span = spanning(first, this.previousSpan())
    const type = typeOfItems(ends[0], ends[2])
    const array: Named = { name, expression: { kind: 'call', name: 'range', arguments: ends, span }, span }
    const item = { expression: { kind: 'name', name, span }, span, ...(type !== undefined && { type }) } as const
    const operators: Operator[] = [{ kind: 'mv-expand', form: 'bag', columns: [item], span }]
    const source: Source = { kind: 'print', columns: [array], span }
    return { kind: 'subquery', pipeline: { kind: 'pipeline', source, operators, span }, span }
  }

  /** table = "table" "(" (string | word) ")" — a word is a `let` or a parameter that holds the name */
  private tableByName(): Source {
    const { span } = this.next()
    this.next()
    const token = this.next()
    if (token.kind !== 'string' && token.kind !== 'word')
      throw new CompileError(
        'syntax',
        `expected the name of a dataset, found ${describeToken(token)}`,
        token.span,
        "write table('name')",
      )
    this.expectSymbol(')', 'after the name')
    const until = spanning(span, this.previousSpan())
    return { kind: 'dataset', name: token.text, ...(token.kind === 'word' && { held: true }), span: until }
  }

  /** datatable = "datatable" "(" word ":" type {"," …} ")" "[" [expression {"," expression} [","]] "]" */
  private datatable(): Source {
    const { span } = this.next()
    this.next()
    const columns = this.list(() => typedName(this))
    this.expectSymbol(')', 'after the columns')
    const open = this.expectSymbol('[', 'before the values')
    const cells: Expression[] = []
    while (!this.isSymbol(']')) {
      cells.push(this.expression())
      if (!this.acceptSymbol(',')) break
      if (cells.length === CONSTANTS_MAX)
        throw new CompileError(
          'limit',
          `the datatable has more than ${CONSTANTS_MAX} values, of which this is the next`,
          this.peek().span,
          'ingest the rows as a dataset',
        )
    }
    this.expectSymbol(']', 'after the values')
    if (cells.length % columns.length !== 0)
      throw new CompileError(
        'syntax',
        `${cells.length} values do not fill rows of ${columns.length} columns`,
        spanning(open.span, this.previousSpan()),
        'write a value for each column of each row; one that is missing is null',
      )
    const rows = Array.from({ length: cells.length / columns.length }, (_, row) =>
      cells.slice(row * columns.length, (row + 1) * columns.length),
    )
    return { kind: 'datatable', columns, rows, span: spanning(span, this.previousSpan()) }
  }

  /** `name(…)` where a dataset may stand is a function of the query's own. */
  private isCallOfRows(): boolean {
    const { kind, text } = this.peek()
    return kind === 'word' && this.isSymbol('(', 1) && this.functions.has(text)
  }

  private callOfRows(): Extract<Source, { kind: 'call-of' }> {
    const { text: name, span } = this.next()
    this.next()
    const items = this.isSymbol(')') ? [] : this.list(() => this.tabular() ?? this.expression())
    this.expectSymbol(')', `to close the arguments of ${name}()`)
    return { kind: 'call-of', name, arguments: items, span: spanning(span, this.previousSpan()) }
  }

  /** search = "search" ["in" "(" members ")"] what the operator takes — over every dataset where none is named */
  private searchSource(): Pipeline {
    const { span } = this.next()
    let members: readonly Pipeline[] = [patternBranch('*', span)]
    if (this.isWordBefore('in')) {
      this.next()
      this.next()
      members = this.list(() => this.member())
      this.expectSymbol(')', 'after the datasets')
    }
    const source: Source = { kind: 'union-of', members, span: spanning(span, this.previousSpan()) }
    const body = OPERATORS.search.parse(this, span, 'search')
    const operator: Operator = { kind: 'search', ...body, span: spanning(span, this.previousSpan()) }
    return { kind: 'pipeline', source, operators: [operator], span: operator.span }
  }

  /** members = ["kind" "=" ("outer"|"inner")] ["withsource" "=" name] ["isfuzzy" "=" ("true"|"false")] member {"," member} */
  override unionMembers(): UnionMembers {
    let withSource: string | undefined
    let common = false
    while (this.isSymbol('=', 1)) {
      const option = this.expectOneOf(['withsource', 'kind', 'isfuzzy'] as const, 'option of union')
      this.next()
      if (option === 'withsource') withSource = this.columnName()
      else if (option === 'kind') common = this.expectOneOf(['outer', 'inner'] as const, 'kind of union') === 'inner'
      else this.expectOneOf(['true', 'false'], option)
    }
    const members = this.list(() => this.member())
    return { members, ...(common && { common }), ...(withSource !== undefined && { withSource }) }
  }

  /** member = branch | pattern of dataset names with "*", which may be quoted */
  private member(): Pipeline {
    const { span } = this.peek()
    let pattern = ''
    let ahead = 0
    for (let end = span.start; ; ahead++) {
      const token = this.peek(ahead)
      const isPart = token.kind === 'word' || token.kind === 'number' || (token.kind === 'symbol' && /^[*.-]$/.test(token.text))
      if (!isPart || token.span.start !== end) break
      pattern += token.text
      end = token.span.end
    }
    if (this.isSymbol('[') && this.peek(1).kind === 'string' && this.peek(1).text.includes('*'))
      return patternBranch(this.quotedName(), spanning(span, this.previousSpan()))
    if (!pattern.includes('*')) return this.branch()
    while (ahead-- > 0) this.next()
    return patternBranch(pattern, spanning(span, this.previousSpan()))
  }

  override branch(): Pipeline {
    const source = this.source()
    // A bracketed pipeline is the branch itself, not a sub-query of one more.
    return source.kind === 'subquery' ? source.pipeline : { kind: 'pipeline', source, operators: [], span: source.span }
  }

  #operators = 0

  /** pipeline = (source | search) { "|" operator } */
  override pipeline(): Pipeline {
    return this.nested(() => {
      const isSearch = this.isWord('search') && !this.isSymbol('|', 1) && this.peek(1).kind !== 'end'
      const begun = isSearch ? this.searchSource() : undefined
      let source = begun?.source ?? this.source()
      let operators: Operator[] = [...(begun?.operators ?? [])]
      while (this.acceptSymbol('|')) {
        if (this.isWord('invoke') && this.functions.has(this.peek(1).text)) {
          source = this.invoked({ kind: 'pipeline', source, operators, span: spanning(source.span, this.previousSpan()) })
          operators = []
        } else operators.push(...this.stage())
      }
      if (source.kind === 'subquery' && operators.length === 0) return source.pipeline
      return { kind: 'pipeline', source, operators, span: spanning(source.span, this.previousSpan()) }
    })
  }

  /** stage = operator | "mv-apply" expanded "on" "(" stage {"|" stage} ")" — of stages that look at each row alone, and so may come behind */
  private stage(): Operator[] {
    if (!this.isWord('mv') || !this.isSymbol('-', 1) || !this.isWord('apply', 2)) return [this.operator()]
    const { span } = this.hyphenated() as { span: Span }
    const expanded = OPERATORS['mv-expand'].parse(this, span, 'mv-apply')
    const operators: Operator[] = [{ kind: 'mv-expand', ...expanded, span: spanning(span, this.previousSpan()) }]
    this.expectWord('on', 'before what is applied')
    this.expectSymbol('(', 'before what is applied')
    do operators.push(...this.nested(() => this.stage()))
    while (this.acceptSymbol('|'))
    this.expectSymbol(')', 'to close the bracket')
    const other = operators.find(({ kind }) => !LOOKS_AT_ROWS_ALONE.has(kind))
    if (!other) return operators
    const message = 'mv-apply takes operators that look at each row alone: where, extend, parse and mv-expand'
    throw new CompileError(
      'unsupported',
      message,
      other.span,
      adviceOnOperator('mv-apply', () => this.peek()),
    )
  }

  /** invoked = "invoke" call — a function of the query's own, which is given the rows before it first */
  private invoked(rows: Pipeline): Source {
    this.next()
    const { arguments: others, ...call } = this.callOfRows()
    return { ...call, arguments: [{ kind: 'tabular', pipeline: rows, span: rows.span }, ...others] }
  }

  /** operator = keyword operands, as the operator's own file says */
  private operator(): Operator {
    const at = this.peek()
    const keyword = this.hyphenated()
    if (!keyword) this.fail('an operator')
    this.#operators += 1
    if (this.#operators > OPERATORS_MAX)
      throw new CompileError(
        'limit',
        `the query has more than ${OPERATORS_MAX} operators`,
        at.span,
        'one extend takes several columns',
      )
    const kind = KEYWORDS.get(keyword.text)
    if (!kind) throw unknownOperator(keyword, (ahead) => this.peek(ahead))
    const body = OPERATORS[kind].parse(this, keyword.span, keyword.text)
    return { kind, ...body, span: spanning(keyword.span, this.previousSpan()) } as Operator
  }

  override expectWord(text: string, context: string): Token {
    const { kind, text: found, span } = this.peek()
    const isValue =
      (kind === 'word' && !KEYWORDS.has(found) && !JOINTS.has(found)) ||
      kind === 'string' ||
      (kind === 'symbol' && /^[[(-]$/.test(found))
    if (this.isWord(text) || !isValue || found.toLowerCase() === text) return super.expectWord(text, context)
    const previous = this.previous()
    const kindOfJoin = text === 'on' ? JOIN_KINDS.find((one) => one.startsWith(previous.text.toLowerCase())) : undefined
    if (kindOfJoin)
      throw new CompileError('syntax', 'the kind of a join is an option of its own', previous.span, {
        hint: `write kind=${kindOfJoin}`,
        written: `kind=${kindOfJoin}`,
      })
    const isOther = found.toLowerCase() === 'using'
    throw new CompileError('syntax', `expected "${text}" ${context}, found ${describeToken(this.peek())}`, span, {
      hint: `write ${text}`,
      fix: [isOther ? { span, text } : before(span, `${text} `)],
    })
  }

  override fail(expected: string): never {
    const mistake = mistakeAt((ahead) => this.peek(ahead), expected, KNOWN_WORDS)
    if (mistake) throw mistake
    return super.fail(expected)
  }

  wholeExpression(): Expression {
    const found = this.expression()
    if (this.peek().kind !== 'end') this.fail('the end')
    return found
  }

  /** query = { (let | declare | set) ";" } pipeline [";"] */
  query(): QueryTree {
    const start = this.peek().span
    const lets: Let[] = []
    while (true) {
      if (this.isWord('set') && this.peek(1).kind === 'word') this.setting()
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
    if (this.peek().kind !== 'end') this.refuseMore()
    return { kind: 'query', lets, pipeline, span: spanning(start, this.previousSpan()) }
  }

  /** Behind a whole query: another one, or what is no part of it. */
  private refuseMore(): never {
    const { beginsLine, kind, text, span } = this.peek()
    const isSource = (kind === 'word' && this.isSymbol('|', 1) && !KEYWORDS.has(text)) || /^(?:let|print|union|\[)$/.test(text)
    if (this.isSymbol(';', -1) && text === '|') throw habitAt(surplus('the query ended with this ";"'), this.previousSpan())
    if (this.isSymbol(';', -1) || (beginsLine && isSource))
      throw new CompileError(
        'syntax',
        'another query begins here, and a text holds one',
        span,
        'send each query by itself; rows that two of them need have a name: let name = …;',
      )
    return this.fail('"|" or the end of the query')
  }

  /** set = "set" word ["=" expression] ";" — options of other services, which change nothing here */
  private setting(): void {
    this.next()
    this.next()
    if (this.acceptSymbol('=')) this.expression()
    this.expectSymbol(';', 'after the statement')
  }

  /** let = "let" word "=" (function | pipeline | expression) ";" */
  private letStatement(): Let {
    const { span } = this.next()
    const name = this.next().text
    this.expectSymbol('=', 'after the name')
    const open = openLetAt((ahead) => this.peek(ahead))
    if (open) throw open
    const value = this.letFunction() ?? this.letBody()
    if (value.kind === 'let-function') this.functions.add(name)
    if (this.peek().kind !== 'end') this.expectSymbol(';', 'after the statement')
    return { name, value, span: spanning(span, this.previousSpan()) }
  }

  private letBody(): Expression | Pipeline {
    return this.isPipelineAhead() ? this.pipeline() : this.expression()
  }

  /** function = ["view"] "(" [ word ":" (type | "(" "*" ")") ["=" expression] {"," …} ] ")" "{" {let ";"} (pipeline | expression) [";"] "}" */
  private letFunction(): LetFunction | undefined {
    const start = this.peek().span
    if (this.isWordBefore('view')) this.next()
    const begins =
      this.isSymbol('(') &&
      ((this.isSymbol(')', 1) && this.isSymbol('{', 2)) || (this.peek(1).kind === 'word' && this.isSymbol(':', 2)))
    if (!begins) return undefined
    this.next()
    const parameters = this.isSymbol(')') ? [] : this.list(() => this.parameter())
    this.expectSymbol(')', 'after the parameters')
    this.expectSymbol('{', 'before the body of the function')
    const outer = new Set(this.functions)
    const lets: Let[] = []
    while (this.isWord('let') && this.peek(1).kind === 'word') lets.push(this.letStatement())
    const body = this.letBody()
    this.functions = outer
    this.acceptSymbol(';')
    this.expectSymbol('}', 'after the body of the function')
    return { kind: 'let-function', parameters, lets, body, span: spanning(start, this.previousSpan()) }
  }

  private parameter(): LetFunction['parameters'][number] {
    const name = this.declared()
    if (this.isSymbol('(')) return { name, type: this.tableType() }
    const type = this.expectOneOf(COLUMN_TYPES, 'type')
    return this.acceptSymbol('=') ? { name, type, default: this.expression() } : { name, type }
  }

  /** declared = word ":" */
  private declared(): string {
    const name = this.next()
    if (name.kind !== 'word') throw new CompileError('syntax', `expected a name, found ${describeToken(name)}`, name.span)
    this.expectSymbol(':', 'after the name')
    return name.text
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
    if (this.isWord('print') || this.isWord('union') || this.isRange() || this.isWordBefore('table')) return true
    if (this.isWordBefore('materialize')) return true
    if (SOURCES_IN_WORDS.has(this.peek().text) && this.peek().kind === 'word' && this.peek(1).text !== '=') return true
    for (let ahead = 0, depth = 0; depth >= 0; ahead++) {
      if (this.peek(ahead).kind === 'end' || (depth === 0 && this.isSymbol(';', ahead))) return false
      if (depth === 0 && this.isSymbol('|', ahead)) return true
      depth += nesting(this.peek(ahead))
    }
    return false
  }

  /** declare = "declare" "query_parameters" "(" name ":" type ["=" expression] {"," …} ")" ";" */
  private parameters(): Let[] {
    this.next()
    this.next()
    this.expectSymbol('(', 'after query_parameters')
    const lets = this.list((): Let => {
      const { span } = this.peek()
      const name = this.declared()
      const parameter = this.expectOneOf(COLUMN_TYPES, 'type')
      const value: Expression = this.acceptSymbol('=') ? this.expression() : { kind: 'literal', value: { type: 'null' }, span }
      return { name, value, parameter, span: spanning(span, this.previousSpan()) }
    })
    this.expectSymbol(')', 'after the parameters')
    this.expectSymbol(';', 'after the statement')
    return lets
  }
}
