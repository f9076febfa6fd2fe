/**
 * What a pipeline begins with: a dataset, rows that are written out, a union, a search.
 * Deliberately not here: whether anything named exists.
 */
import type { Expression, Named, Operator, Pipeline, Source } from './ast.ts'
import { CompileError } from './error.ts'
import { ExpressionParser, type UnionMembers } from './expression-parser.ts'
import { externalData } from './externaldata.ts'
import { CONSTANTS_MAX } from './limits.ts'
import { mistakenSource } from './mistakes/sources.ts'
import { OPERATORS } from './operators/table.ts'
import { type Span, spanning } from './source.ts'
import { describeToken } from './token.ts'
import { typedName } from './typed-names.ts'

const LACKING_SOURCES = new Set(['range', 'find'])

const patternBranch = (pattern: string, span: Span): Pipeline => ({
  kind: 'pipeline',
  source: { kind: 'dataset-pattern', pattern, span },
  operators: [],
  span,
})

/** Reads sources; the parser of pipelines extends it. */
export abstract class SourceParser extends ExpressionParser {
  /** `let` functions so far. */
  protected readonly functions = new Set<string>()

  /** source = quotedName | string | name with hyphens | "table" "(" name ")" | "print" columns | "union" branches | "(" pipeline ")" */
  protected source(): Source {
    const token = this.peek()
    const mistaken = mistakenSource((ahead) => this.peek(ahead))
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
      return { kind: 'union-of', ...this.unionMembers(), span: until() }
    }
    if (this.isWord('datatable') && this.isSymbol('(', 1)) return this.datatable()
    if (this.isWord('externaldata') && this.isSymbol('(', 1)) return externalData(this)
    if (this.isWord('table') && this.isSymbol('(', 1)) return this.tableByName()
    if (this.isCallOfRows()) return this.callOfRows()
    const name = this.hyphenated()
    if (!name) this.fail("a dataset, such as ['name']")
    if (this.isSymbol('(') || LACKING_SOURCES.has(name.text))
      throw new CompileError(
        'unsupported',
        `"${name.text}" is not supported as a source`,
        name.span,
        "a query begins with a dataset, such as ['name']; functions come behind it, as in | summarize count()",
      )
    return { kind: 'dataset', name: name.text, span: name.span }
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

  private callOfRows(): Source {
    const { text: name, span } = this.next()
    this.next()
    const items = this.isSymbol(')') ? [] : this.list(() => this.tabular() ?? this.expression())
    this.expectSymbol(')', `to close the arguments of ${name}()`)
    return { kind: 'call-of', name, arguments: items, span: spanning(span, this.previousSpan()) }
  }

  /** search = "search" ["in" "(" members ")"] what the operator takes — over every dataset where none is named */
  protected searchSource(): Pipeline {
    const { span } = this.next()
    let members: readonly Pipeline[] = [patternBranch('*', span)]
    if (this.isWord('in') && this.isSymbol('(', 1)) {
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

  /** member = branch | pattern of dataset names with "*" */
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
    if (!pattern.includes('*')) return this.branch()
    while (ahead-- > 0) this.next()
    return patternBranch(pattern, spanning(span, this.previousSpan()))
  }

  override branch(): Pipeline {
    const source = this.source()
    // A bracketed pipeline is the branch itself, not a sub-query of one more.
    return source.kind === 'subquery' ? source.pipeline : { kind: 'pipeline', source, operators: [], span: source.span }
  }
}
