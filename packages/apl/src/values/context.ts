/**
 * What every stage of one compilation shares, and what a scope of names must offer.
 * Deliberately not here: any compiling. The class is abstract so that functions and operators need not know the compiler.
 */
import { formatTimestamp, isStorable, STORABLE_FIRST_NS, STORABLE_LAST_NS } from '@deployment-annotations/contract/timestamp'
import { type Advice, CompileError, type Edit, type Guess, mismatch, type Span } from '../error.ts'
import { TABULAR_DEPTH_MAX } from '../limits.ts'
import { adviceOnCount } from '../mistakes/values.ts'
import type { Doubt, Message } from '../sql/plan.ts'
import { Binder } from '../sql/quoting.ts'
import type { Relation } from '../sql/relation.ts'
import { Aliases } from '../sql/select.ts'
import type { States } from '../sql/states.ts'
import { literalValue, type Value } from '../sql/value.ts'
import { type LiteralValue, literalNumber } from '../text/literal.ts'
import type { Binary, Call, Expression, Pipeline } from '../tree/ast.ts'

/** `[startNs, endNs)`, nanoseconds since the epoch. */
export interface TimeRange {
  readonly startNs: bigint
  readonly endNs: bigint
}

/** Names an expression can see. */
export interface Scope {
  find(name: string): Value | undefined
  names(): Iterable<string>
  /** The value of a member of events that is no field, where they may have such. */
  unlisted?(name: string): Value | undefined
  /** With such members: an array of JSON texts that has the values of all of them. */
  readonly rest?: Value | undefined
  /** Names that are read like this one, but have a dot or a backslash inside of a key. */
  spelled?(name: string): readonly string[]
  /** Whether a name is that of a column that the query has made. */
  isMade?(name: string): boolean
  /** In `summarize`: the value of an aggregation, or `undefined` if the call is not one. */
  aggregate?(call: Call): Value | undefined
  /** Why a name that exists cannot be used here. */
  refusal?(name: string): string | undefined
  /** The order of the rows, if they have one, for functions that look at the rows beside one. */
  orderSql?(): string
}

export interface ContextSettings {
  readonly range: TimeRange
  readonly nowNs: bigint
  readonly resolutionNs?: bigint | 'range' | undefined
  readonly ranksGroups?: boolean
  /** The binder of another compilation, so that equal values are equal text in both; a new one where absent. */
  readonly binder?: Binder
  /** Filled where rows are aggregated in two steps, and not bound to the range. */
  readonly states?: States
}

/** A message, and what to write instead. */
interface Warning extends Message {
  readonly fix?: readonly Edit[]
}

export abstract class Context {
  readonly binder: Binder
  readonly aliases = new Aliases()
  readonly lets = new Map<string, Value>()
  /** What the author should know though the query runs. */
  readonly warnings: Warning[] = []
  /** What the author should know of some answers only. */
  readonly doubts: Doubt[] = []
  /** Names of fields that the query has written out and that were found, and where. */
  readonly namesRead = new Map<string, Span[]>()
  readonly range: TimeRange
  readonly nowNs: bigint
  /** Bin size that `bin_auto` uses instead of choosing one; or one bin of the whole range. */
  readonly resolutionNs: bigint | 'range' | undefined
  /** Whether a limit on groups keeps the largest; so for the totals beside time bins. */
  readonly ranksGroups: boolean
  /** The first of two steps of aggregation; absent where there is one. */
  readonly states: States | undefined

  constructor(settings: ContextSettings) {
    this.range = settings.range
    this.nowNs = settings.nowNs
    this.resolutionNs = settings.resolutionNs
    this.ranksGroups = settings.ranksGroups ?? false
    this.states = settings.states
    this.binder = settings.binder ?? new Binder()
  }

  abstract relation(pipeline: Pipeline): Relation
  abstract expression(expression: Expression, scope: Scope): Value

  #tabularDepth = 0

  /** Whether what is compiled is a query in an expression, whose rows are in no answer. */
  get isInside(): boolean {
    return this.#tabularDepth > 0
  }

  /** The rows of a query inside an expression. */
  tabular(pipeline: Pipeline, span: Span): Relation {
    if (this.#tabularDepth === TABULAR_DEPTH_MAX)
      throw new CompileError('limit', `queries in expressions are nested too deeply (limit ${TABULAR_DEPTH_MAX})`, span)
    this.#tabularDepth += 1
    try {
      return this.relation(pipeline)
    } finally {
      this.#tabularDepth -= 1
    }
  }

  /**
   * Says something once, however often the same is compiled.
   * @param fix what to write instead, where that is certain
   */
  warn(code: Message['code'], text: string, fix?: readonly Edit[]): void {
    if (this.warnings.some((known) => known.text === text)) return
    this.warnings.push({ code, text, ...(fix && !this.#isElsewhere && { fix }) })
  }

  /** Says something once of an answer that has a sign of it. */
  doubt(text: string, isShownBy: Doubt['isShownBy']): void {
    if (!this.doubts.some((known) => known.text === text)) this.doubts.push({ code: 'likely_mistake', text, isShownBy })
  }

  #isElsewhere = false

  /** Compiles what is written in another text than that of the query, whose places mean nothing there. */
  protected elsewhere<T>(compile: () => T): T {
    const before = this.#isElsewhere
    this.#isElsewhere = true
    try {
      return compile()
    } finally {
      this.#isElsewhere = before
    }
  }

  /** Notes that a name of the query was found to be that of a field. */
  noteRead(name: string, span: Span): void {
    const known = this.namesRead.get(name) ?? []
    this.namesRead.set(name, known)
    if (!this.#isElsewhere && !known.some(({ start }) => start === span.start)) known.push(span)
  }

  literal(literal: LiteralValue): Value {
    return literalValue(literal, this.binder)
  }

  /**
   * A point in time that is known now.
   * @throws CompileError where it lies outside of the years that the service holds: moved to the edge it would be another time
   */
  time(ns: bigint, span: Span): Value {
    if (isStorable(ns)) return this.literal({ type: 'datetime', ns })
    const [first, last] = [STORABLE_FIRST_NS, STORABLE_LAST_NS].map((edge) => formatTimestamp(edge).slice(0, 10))
    const hint = 'leave the bound out; what has no time is found by isnull(field)'
    throw mismatch(`the time lies outside of what can be held: ${first} to ${last}`, span, hint)
  }

  /** An expression whose value must be known now. */
  constant(expression: Expression, what: string): LiteralValue {
    const { literal } = this.expression(expression, {
      ...EMPTY_SCOPE,
      refusal: (name) => `${what} must be a constant, and "${name}" is none`,
    })
    if (!literal) throw mismatch(`${what} must be a constant`, expression.span)
    return literal
  }

  /** A constant count, such as that of `limit`. */
  count(expression: Expression, what: string): number {
    const spelled = expression.kind === 'name' && !this.lets.has(expression.name) ? adviceOnCount(expression.name) : undefined
    if (spelled) throw mismatch(`${what} is written in digits`, expression.span, spelled)
    const literal = this.constant(expression, what)
    if (literal.type !== 'integer' || literal.value < 0n)
      throw mismatch(`${what} must be a whole number, 0 or more`, expression.span)
    return literal.value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(literal.value)
  }

  /** A constant number. */
  number(expression: Expression, what: string): number {
    const number = literalNumber(this.constant(expression, what))
    if (number !== undefined) return Number(number)
    throw mismatch(`${what} must be a number`, expression.span)
  }
}

/** An operator with its two operands, compiled: what `arithmetic.ts`, `comparison.ts` and `text-match.ts` turn into one value. */
export interface Operation<Operator> {
  readonly operator: Operator
  readonly left: Value
  readonly right: Value
  readonly context: Context
  readonly span: Span
}

/** An operation of two operands, and how they are written, for what is said of it. */
export interface WrittenOperation {
  readonly operator: string
  readonly left: Value
  readonly right: Value
  readonly node: Pick<Binary, 'left' | 'right' | 'span'>
  readonly context: Context
}

export const EMPTY_SCOPE: Scope = { find: () => undefined, names: () => [] }

/** The way a name of the query is looked up when it is used in a message. */
export function invalidField(name: string, span: Span, hint: Guess | Advice | undefined): CompileError {
  return new CompileError('unknown_name', `invalid field: "${name}"`, span, hint)
}
