/**
 * Which queries can be answered from states of aggregations that were made before: those whose states are the same whenever, and in
 * whatever order, the same rows are aggregated. It is decided on the resolved tree, and what is not listed here is not mergeable.
 * Deliberately not here: sums, which are exact for whole numbers alone, and so depend on types; see `functions/aggregates.ts`.
 */
import { findAggregate } from '../functions/aggregates.ts'
import { FUNCTIONS } from '../functions/table.ts'
import type { Expression, Operator, Source } from '../tree/ast.ts'

/** Operators and sources that look at each row alone, and expressions without queries in them. */
const KINDS: ReadonlySet<string> = new Set<Expression['kind'] | Operator['kind'] | Source['kind'] | 'pipeline'>([
  ...(['literal', 'name', 'member', 'index', 'call', 'negation', 'logical', 'binary', 'in-list', 'between', 'star'] as const),
  ...(['pipeline', 'dataset', 'subquery', 'where', 'search', 'extend', 'parse', 'parse-kv'] as const),
  ...(['project', 'project-away', 'project-keep', 'project-rename', 'project-reorder', 'summarize', 'sort', 'render'] as const),
])

/** Functions that depend on the moment of the query, or on chance. */
const VARYING: ReadonlySet<string> = new Set(['ago', 'cursor_current', 'now', 'rand'])

/** Aggregations whose states merge exactly. Sums of floats, for example, depend on the order of the rows. */
const AGGREGATIONS: ReadonlySet<string> = new Set(['count', 'max', 'min', 'percentile', 'percentiles_array', 'sum'])

/** @param node a node of a resolved tree, or what holds nodes */
export function isMergeable(node: object): boolean {
  const { kind, name } = node as { kind?: string; name?: string }
  const isKnown = kind === undefined || (kind === 'call' ? isMergeableCall(name as string) : KINDS.has(kind))
  return isKnown && Object.values(node).every((child) => typeof child !== 'object' || child === null || isMergeable(child))
}

function isMergeableCall(name: string): boolean {
  const aggregate = findAggregate(name)
  return aggregate ? AGGREGATIONS.has(aggregate.name) : Object.hasOwn(FUNCTIONS, name) && !VARYING.has(name)
}
