/**
 * Pipelines: a source and its operators, which read themselves (`operators/`).
 * Deliberately not here: what stands before a pipeline; see `parser.ts`.
 */
import type { Operator, Pipeline } from './ast.ts'
import { CompileError } from './error.ts'
import { findAggregate } from './functions/aggregates.ts'
import { FUNCTIONS } from './functions/table.ts'
import { OPERATORS_MAX } from './limits.ts'
import { adviceOnOperator } from './mistakes/operators.ts'
import { mistakeAt } from './mistakes/tokens.ts'
import { guessWord } from './nearest.ts'
import { JOIN_KINDS } from './operators/join.ts'
import { KEYWORDS, OPERATORS } from './operators/table.ts'
import { type Span, spanning } from './source.ts'
import { SourceParser } from './source-parser.ts'
import { describeToken, type Token } from './token.ts'

/** Operators of the language that are known and not supported, so that they are not reported as spelling mistakes. */
const LACKING = new Set(
  'as consume evaluate facet find fork invoke mv-apply partition project-smart reduce render sample-distinct scan serialize top-nested'.split(
    ' ',
  ),
)

const KNOWN_WORDS = {
  isOperator: (word: string) => KEYWORDS.has(word),
  isFunction: (word: string) => Object.hasOwn(FUNCTIONS, word) || findAggregate(word) !== undefined,
}
/** Words that begin a part of an operator, and no value. */
const JOINTS = new Set(['by', 'on', 'with', 'from', 'to', 'step', 'limit'])

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
      if (source.kind === 'subquery' && operators.length === 0) return source.pipeline
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

  override expectWord(text: string, context: string): Token {
    const { kind, text: found, span } = this.peek()
    const isValue =
      (kind === 'word' && !KEYWORDS.has(found) && !JOINTS.has(found)) ||
      kind === 'string' ||
      (kind === 'symbol' && /^[[(-]$/.test(found))
    if (this.isWord(text) || !isValue || found.toLowerCase() === text) return super.expectWord(text, context)
    const before = this.previous()
    const kindOfJoin = text === 'on' ? JOIN_KINDS.find((one) => one.startsWith(before.text.toLowerCase())) : undefined
    if (kindOfJoin)
      throw new CompileError('syntax', 'the kind of a join is an option of its own', before.span, {
        hint: `write kind=${kindOfJoin}`,
        mend: [{ span: before.span, text: `kind=${kindOfJoin}` }],
      })
    const isOther = found.toLowerCase() === 'using'
    throw new CompileError('syntax', `expected "${text}" ${context}, found ${describeToken(this.peek())}`, span, {
      hint: `write ${text}`,
      mend: [isOther ? { span, text } : { span: { start: span.start, end: span.start }, text: `${text} ` }],
    })
  }

  override fail(expected: string): never {
    const mistake = mistakeAt((ahead) => this.peek(ahead), expected, KNOWN_WORDS)
    if (mistake) throw mistake
    return super.fail(expected)
  }
}

function unknownOperator({ text, span }: { text: string; span: Span }): CompileError {
  if (findAggregate(text))
    return new CompileError('unknown_name', `"${text}" is an aggregation, not an operator`, span, {
      hint: `write | summarize ${text}(…)`,
      mend: [{ span: { start: span.start, end: span.start }, text: 'summarize ' }],
    })
  if (Object.hasOwn(FUNCTIONS, text))
    return new CompileError('unknown_name', `"${text}" is a function, not an operator`, span, `write | extend name = ${text}(…)`)
  const hint = adviceOnOperator(text) ?? guessWord(text, KEYWORDS.keys())
  return LACKING.has(text)
    ? new CompileError('unsupported', `operator "${text}" is not supported`, span, hint)
    : new CompileError('unknown_name', `operator "${text}" not found`, span, hint)
}
