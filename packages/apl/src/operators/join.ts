/**
 * `join` and `lookup`: columns of another relation beside those of rows with equal keys. Without a kind a join is inner.
 * Deliberately not here: conditions other than equality.
 */

import { CompileError } from '../error.ts'
import { orMissing } from '../functions/extremes.ts'
import type { Relation } from '../sql/relation.ts'
import { Select } from '../sql/select.ts'
import { through, type Value, type View } from '../sql/value.ts'
import { byWord } from '../text/synonyms.ts'
import type { Expression, Join, JoinKind } from '../tree/ast.ts'
import { dottedName, impliedName } from '../tree/expression-name.ts'
import type { ExpressionParser } from '../tree/expression-parser.ts'
import { keyView } from '../values/comparison.ts'
import type { Context } from '../values/context.ts'
import { freshName } from './columns.ts'
import type { OperatorDefinition } from './definition.ts'

/** The engine's word, and which sides may be missing or are not shown. */
const KINDS: Record<JoinKind, { how: string; leftMayMiss?: true; rightMayMiss?: true; only?: 'left' | 'right' }> = {
  inner: { how: 'INNER JOIN' },
  // Each left row once, beside the first match; `INNER ANY JOIN` would also keep only one left row of each key.
  innerunique: { how: 'LEFT SEMI JOIN' },
  leftouter: { how: 'LEFT JOIN', rightMayMiss: true },
  rightouter: { how: 'RIGHT JOIN', leftMayMiss: true },
  fullouter: { how: 'FULL JOIN', leftMayMiss: true, rightMayMiss: true },
  leftanti: { how: 'LEFT ANTI JOIN', only: 'left' },
  rightanti: { how: 'RIGHT ANTI JOIN', only: 'right' },
  leftsemi: { how: 'LEFT SEMI JOIN', only: 'left' },
  rightsemi: { how: 'RIGHT SEMI JOIN', only: 'right' },
}

/** A side of a condition without `$left` or `$right` before it. */
function side(node: Expression): { side: 'left' | 'right' | undefined; expression: Expression } {
  const name = dottedName(node)
  const found = /^\$(left|right)\.(.+)$/s.exec(name ?? '')
  if (!found) return { side: undefined, expression: node }
  return { side: found[1] as 'left' | 'right', expression: { kind: 'name', name: found[2] as string, span: node.span } }
}

/** condition = name | expression "==" expression */
function condition(parser: ExpressionParser): Join['on'][number] {
  const node = parser.expression()
  if (node.kind !== 'binary') return { left: node, right: node }
  if (node.operator !== '==') throw new CompileError('unsupported', 'a join condition must be an equality', node.span)
  const [a, b] = [side(node.left), side(node.right)]
  return a.side === 'right' || b.side === 'left'
    ? { left: b.expression, right: a.expression }
    : { left: a.expression, right: b.expression }
}

/** A side that may be missing gives NULL, of its constants too, where the engine would give 0 or 1970. */
function missing({ literal: _, ...value }: Value): Value {
  const orNull = (view: View) => orMissing(value, value.as(view))
  return { ...value, nullable: true, as: (view) => (view === 'truth' ? `ifNull(${orNull(view)}, false)` : orNull(view)) }
}

function compile({ join: kind, lookup, right: other, on }: Join, input: Relation, context: Context): Relation {
  const { how, leftMayMiss, rightMayMiss, only } = KINDS[kind]
  const right = context.relation(other)
  const keys = on.map((pair): [string, string] => {
    const [a, b] = [context.expression(pair.left, input), context.expression(pair.right, right)]
    const both = keyView(a, b)
    return [input.select.export(a.as(both)), right.select.export(b.as(both))]
  })
  const select = new Select({ kind: 'join', left: input.select, right: right.select, how, on: keys }, context.aliases)
  const fromLeft = (value: Value) => through(leftMayMiss ? missing(value) : value, (sql) => input.select.export(sql))
  const fromRight = (value: Value) => through(rightMayMiss ? missing(value) : value, (sql) => right.select.export(sql))
  if (only === 'right') return right.seenThrough(select, fromRight)
  const seen = input
    .seenThrough(select, fromLeft)
    .with({ unique: only === 'left' && input.unique, ...(leftMayMiss && { identity: undefined, events: undefined }) })
  const left = leftMayMiss
    ? seen.with({ columns: new Map(input.names().map((name) => [name, fromLeft(input.find(name) as Value)])) })
    : seen
  if (only === 'left') return left
  const taken = new Set(input.names())
  const added = new Map<string, Value>()
  const keyNames = new Set(on.map((pair) => impliedName(pair.right)))
  for (const name of right.names()) {
    if (lookup && keyNames.has(name)) continue
    const column = freshName(name, taken)
    taken.add(column)
    added.set(column, fromRight(right.find(name) as Value))
  }
  return left.extended(added)
}

export const JOIN_KINDS = Object.keys(KINDS) as JoinKind[]

/** What other languages call them. */
const OTHER_KINDS = byWord({
  leftouter: 'left',
  rightouter: 'right',
  fullouter: 'outer full',
  leftanti: 'anti leftantisemi',
  rightanti: 'rightantisemi',
  leftsemi: 'semi',
})

function refuseOtherKind(parser: ExpressionParser): void {
  const { text, span } = parser.peek()
  const kind = OTHER_KINDS.get(text)
  if (kind === undefined) return
  throw new CompileError('syntax', `unknown kind of join "${text}"`, span, { hint: `write kind=${kind}`, written: kind })
}

export const join: OperatorDefinition<'join'> = {
  keywords: ['join', 'lookup'],
  syntax: '[kind = inner | leftouter | …] dataset | (pipeline) on name | $left.a == $right.b, …',
  parse: (parser, _span, spelling) => {
    const lookup = spelling === 'lookup'
    let kind: JoinKind = lookup ? 'leftouter' : 'inner'
    if (parser.acceptOption('kind')) {
      refuseOtherKind(parser)
      kind = parser.expectOneOf(JOIN_KINDS, 'kind of join')
    }
    const right = parser.branch()
    parser.expectWord('on', 'after the right side')
    return { lookup, join: kind, right, on: parser.list(() => condition(parser)) }
  },
  compile,
}
