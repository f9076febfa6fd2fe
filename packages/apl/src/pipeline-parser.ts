/**
 * Pipelines: a source and its operators, which read themselves (`operators/`).
 * Deliberately not here: what stands before a pipeline; see `parser.ts`.
 */
import type { Operator, Pipeline } from './ast.ts'
import { CompileError } from './error.ts'
import { OPERATORS_MAX } from './limits.ts'
import { adviceOnOperator, mistakeAt } from './mistakes.ts'
import { guessWord } from './nearest.ts'
import { KEYWORDS, OPERATORS } from './operators/table.ts'
import { spanning } from './source.ts'
import { SourceParser } from './source-parser.ts'

/** Operators of the language that are known and not supported, so that they are not reported as spelling mistakes. */
const LACKING = new Set(
  'as consume evaluate facet find fork invoke mv-apply partition project-smart reduce render sample-distinct scan serialize top-nested'.split(
    ' ',
  ),
)

/** Reads pipelines; the parser of statements extends it. */
export abstract class PipelineParser extends SourceParser {
  #operators = 0

  /** pipeline = (source | search) { "|" operator } */
  override pipeline(): Pipeline {
    return this.nested(() => {
      const isSearch = this.isWord('search') && !this.isSymbol('|', 1) && this.peek(1).kind !== 'end'
      const begun = isSearch ? this.searchSource() : undefined
      const source = begun?.source ?? this.source()
      const operators: Operator[] = [...(begun?.operators ?? [])]
      while (this.acceptSymbol('|')) operators.push(this.operator())
      return { kind: 'pipeline', source, operators, span: spanning(source.span, this.previousSpan()) }
    })
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

  override fail(expected: string): never {
    const mistake = mistakeAt(this.peek(), this.previous(), (word) => KEYWORDS.has(word))
    if (mistake) throw mistake
    return super.fail(expected)
  }
}

function unknownOperator({ text, span }: { text: string; span: { start: number; end: number } }): CompileError {
  const hint = adviceOnOperator(text) ?? guessWord(text, KEYWORDS.keys())
  return LACKING.has(text)
    ? new CompileError('unsupported', `operator "${text}" is not supported`, span, hint)
    : new CompileError('unknown_name', `operator "${text}" not found`, span, hint)
}
