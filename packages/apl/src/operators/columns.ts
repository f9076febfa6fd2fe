/**
 * Operators that choose, compute and name columns: `extend`, `project` and its relatives.
 * Deliberately not here: anything that changes which rows there are.
 */

import { between, CompileError, mismatch, NOWHERE, type Span } from '../error.ts'
import { looksAtRows } from '../expressions/window.ts'
import { endsStage } from '../mistakes/operands.ts'
import { type Relation, settleOrder } from '../sql/relation.ts'
import { type Value, withName } from '../sql/value.ts'
import { matchesPattern, spelledLike } from '../text/names-matching.ts'
import { guessName } from '../text/nearest.ts'
import type { Expression, Named, NameOrder, Pattern } from '../tree/ast.ts'
import { dottedName, impliedName } from '../tree/expression-name.ts'
import type { ExpressionParser } from '../tree/expression-parser.ts'
import { type Context, invalidField, type Scope } from '../values/context.ts'
import type { OperatorDefinition } from './definition.ts'

/** Compiles columns that all see the same input. */
export function compileColumns(columns: readonly Named[], input: Relation, context: Context): Map<string, Value> {
  const compiled = new Map<string, Value>()
  for (const { name, expression } of columns)
    compiled.set(freshName(name ?? impliedName(expression), compiled), withName(name, context.expression(expression, input)))
  return compiled
}

/** `Column1`, `Column2` … for what has no name; a name taken twice gets a number. */
export function freshName(name: string | undefined, taken: Pick<ReadonlySet<string>, 'has'>): string {
  if (name !== undefined && !taken.has(name)) return name
  for (let number = 1; ; number++) {
    const fresh = name === undefined ? `Column${number}` : `${name}${number}`
    if (!taken.has(fresh)) return fresh
  }
}

/** The names that patterns stand for, in the relation's order; a plain name that does not exist is a mistake. */
function matching(patterns: readonly Pattern[], input: Relation): string[] {
  const names = input.names()
  return [...new Set(patterns.flatMap((pattern) => matchingOne(pattern, names, input)))]
}

function matchingOne({ pattern, exact, span }: Pattern, names: readonly string[], input: Relation): string[] {
  if (!exact && pattern.includes('*')) return names.filter((name) => matchesPattern(name, pattern))
  const spelled = spelledLike(pattern, names)
  if (names.includes(pattern)) return [pattern, ...spelled]
  if (spelled.length > 0) return spelled
  const below = names.filter((name) => name.startsWith(`${pattern}.`))
  if (below.length > 0) return below
  if (input.find(pattern) ?? input.unlisted(pattern)) return [pattern]
  throw invalidField(pattern, span, guessName(pattern, names))
}

function pick(names: readonly string[], input: Relation): Map<string, Value> {
  return new Map(names.map((name) => [name, (input.find(name) ?? input.unlisted(name)) as Value]))
}

/** With the rows beside each in view: they must be complete before, and conditions on the column come after. */
function extendInOrder(name: string | undefined, expression: Expression, before: Relation, context: Context): Relation {
  const relation = before.ungrouped()
  settleOrder(relation)
  const scope: Scope = {
    find: (field) => relation.find(field),
    names: () => relation.names(),
    unlisted: (field) => relation.unlisted(field),
    rest: relation.rest,
    isMade: (field) => relation.isMade(field),
    spelled: (field) => relation.spelled(field),
    orderSql: () => relation.select.orderSql(),
  }
  const column = name ?? freshName(undefined, new Set(relation.names()))
  return relation.extended(new Map([[column, withName(name, context.expression(expression, scope))]])).nested()
}

/** `extend x == 1`, where there is no `x` to compare. */
function refuseComparison(column: string | undefined, expression: Expression, scope: Scope): void {
  if (column !== undefined || expression.kind !== 'binary' || expression.operator !== '==' || expression.left.kind !== 'name')
    return
  const { left, right } = expression
  if (scope.find(left.name)) return
  const span = between(left.span, right.span)
  const instead = { hint: 'write name = expression', written: ' = ' }
  throw new CompileError('syntax', '"==" compares; a column is given with "="', span, instead)
}

export const extend: OperatorDefinition<'extend'> = {
  // Rows keep the order of a sort here anyway, and so all that it does is to add columns, or none.
  keywords: ['extend', 'serialize'],
  syntax: '[name =] expression, …',
  parse: (parser, _span, spelling) => ({
    columns: spelling === 'serialize' && endsStage(parser.peek()) ? [] : parser.list(() => parser.named()),
  }),
  // Each column is placed before the next is compiled, so that a long one cannot be inlined again and again.
  compile: ({ columns }, input, context) =>
    columns.reduce((before, { name, expression }) => {
      const column = name ?? impliedName(expression)
      refuseComparison(column, expression, before)
      if (looksAtRows(expression)) return extendInOrder(column, expression, before, context)
      const fresh = column ?? freshName(undefined, new Set(before.names()))
      return before.placed(fresh, withName(name, context.expression(expression, before)))
    }, input.own()),
}

export const project: OperatorDefinition<'project'> = {
  keywords: ['project'],
  syntax: '[name =] expression, …',
  parse: (parser) => ({ columns: parser.list(() => parser.named()) }),
  compile: ({ columns }, input, context) => {
    const all = columns.some(({ expression }) => expression.kind === 'star')
    // Long columns move into a SELECT of their own.
    if (!all) return input.projected(compileColumns(columns, input, context)).extended(new Map())
    if (columns.length === 1) return input
    throw new CompileError(
      'unsupported',
      '"*" must stand alone in project',
      columns[0]?.span ?? NOWHERE,
      'extend adds columns and keeps the others',
    )
  },
}

export const projectAway: OperatorDefinition<'project-away'> = {
  keywords: ['project-away'],
  syntax: 'name | pattern*, …',
  parse: (parser) => ({ patterns: parser.list(() => parser.pattern()) }),
  compile: ({ patterns }, input) => without(new Set(matching(patterns, input)), input),
}

/** The relation without some of its columns. Whole events stay open, with those names hidden. */
function without(names: ReadonlySet<string>, input: Relation): Relation {
  const columns = new Map([...input.columns].filter(([name]) => !names.has(name)))
  const buckets = input.buckets && !names.has(input.buckets.column) ? input.buckets : undefined
  const events = input.events && { ...input.events, hidden: new Set([...input.events.hidden, ...names]) }
  return input.with({ columns, buckets, events })
}

export const projectKeep: OperatorDefinition<'project-keep'> = {
  keywords: ['project-keep'],
  syntax: 'name | pattern*, …',
  parse: (parser) => ({ patterns: parser.list(() => parser.pattern()) }),
  compile: ({ patterns }, input) => {
    const kept = new Set(matching(patterns, input))
    const names = input.names()
    return input.projected(
      pick([...names.filter((name) => kept.has(name)), ...[...kept].filter((name) => !names.includes(name))], input),
    )
  },
}

const NAME_ORDERS = ['asc', 'desc', 'granny-asc', 'granny-desc'] as const

function nameOrder(parser: ExpressionParser): NameOrder | undefined {
  const { kind, text } = parser.peek()
  if (kind !== 'word' || !/^(?:asc|desc|granny)$/.test(text)) return undefined
  const { text: word, span } = parser.hyphenated() as { text: string; span: Span }
  const order = NAME_ORDERS.find((known) => known === word)
  if (order) return order
  throw new CompileError('syntax', `unknown order "${word}"`, span, `one of ${NAME_ORDERS.join(', ')}`)
}

function inOrder(names: readonly string[], order: NameOrder | undefined): readonly string[] {
  if (!order) return names
  const sorted = [...names].sort((a, b) => (order.startsWith('granny') ? NATURAL.compare(a, b) : a < b ? -1 : a > b ? 1 : 0))
  return order.endsWith('desc') ? sorted.reverse() : sorted
}

/** `a2` before `a10`. */
const NATURAL = new Intl.Collator('en', { numeric: true })

export const projectReorder: OperatorDefinition<'project-reorder'> = {
  keywords: ['project-reorder'],
  syntax: 'name | pattern* [asc | desc | granny-asc | granny-desc], …',
  parse: (parser) => ({
    patterns: parser.list(() => {
      const pattern = parser.pattern()
      const order = nameOrder(parser)
      return { ...pattern, ...(order && { order }) }
    }),
  }),
  compile: ({ patterns }, input) => {
    const named = new Set(
      matching(
        patterns.filter(({ pattern, exact }) => exact || !pattern.includes('*')),
        input,
      ),
    )
    const order = patterns.flatMap((pattern) => {
      const found = inOrder(matching([pattern], input), pattern.order)
      return pattern.exact || !pattern.pattern.includes('*') ? found : found.filter((name) => !named.has(name))
    })
    return input.projected(pick([...new Set([...order, ...input.names()])], input))
  },
}

export const projectRename: OperatorDefinition<'project-rename'> = {
  keywords: ['project-rename'],
  syntax: 'new = old, …',
  parse: (parser) => ({
    renames: parser.list(() => {
      const { name, expression, span } = parser.named()
      if (name === undefined) throw new CompileError('syntax', 'project-rename takes new = old', span)
      return { to: name, from: expression }
    }),
  }),
  compile: ({ renames }, input, context) => {
    const old = renames.map(({ from }) => {
      const name = dottedName(from)
      if (name === undefined) throw mismatch('project-rename takes the name of a field', from.span)
      context.expression(from, input)
      return name
    })
    const to = new Map(renames.map(({ to: name }, at) => [old[at] as string, name]))
    if (input.events) {
      const renamed = new Map(renames.map(({ to: name, from }) => [name, context.expression(from, input)]))
      return without(new Set(old), input).extended(renamed)
    }
    return input.with({
      columns: new Map([...input.columns].map(([name, value]) => [to.get(name) ?? name, value])),
      buckets: undefined,
    })
  },
}
