/**
 * The entry point of the query language: a text, or the tree of a legacy body, becomes a plan. What may be meant by a text that is a
 * mistake, or that finds nothing, is suggested if it compiles.
 */
import { applyEdits, attachSource } from './error.ts'
import { QUERY_LENGTH_MAX } from './limits.ts'
import { finish, type Suggest } from './query/finish.ts'
import { parseQuery } from './query/parser.ts'
import { type CompileOptions, relate } from './query/relate.ts'
import { resolve } from './query/resolve.ts'
import { compileTotals, ifCompiles } from './query/totals.ts'
import type { Plan } from './sql/plan.ts'
import type { Expression, Operator, QueryTree } from './tree/ast.ts'
import { dottedName } from './tree/expression-name.ts'

export type { Catalog, Dataset } from './query/emit.ts'
export type { GivenRows } from './query/given-rows.ts'
export type { CompileOptions } from './query/relate.ts'

/**
 * Compiles a query text.
 * @throws QueryError with the place of what is wrong; nothing else, whatever the text
 */
export function compile(text: string, options: CompileOptions): Plan {
  return attachSource(text, () => {
    const query = parseQuery(text)
    const suggest: Suggest = (fix) => {
      const suggestion = fix && fix.length > 0 ? applyEdits(text, fix) : undefined
      if (suggestion === undefined || suggestion.length > QUERY_LENGTH_MAX) return {}
      return ifCompiles(() => compileTree(parseQuery(suggestion), options)) ? { suggestion } : {}
    }
    return { ...compileTree(query, options, suggest), bounded: () => boundedBy(query, suggest) }
  })
}

/** @returns the datasets that a query text reads. @throws QueryError as {@link compile}, which may find more that is wrong */
export function datasetsOf(text: string, { datasets, variables = {} }: CompileOptions): readonly string[] {
  return attachSource(text, () => resolve(parseQuery(text), datasets.keys(), variables).datasets)
}

/** Short beside what a dataset holds, and mostly long enough. */
const BOUND = ' | where _time > ago(1h)'

function boundedBy({ pipeline: { source } }: QueryTree, suggest: Suggest): string | undefined {
  if (source.kind !== 'dataset') return undefined
  const { end } = source.span
  return suggest([{ span: { start: end, end }, text: BOUND }]).suggestion
}

/**
 * Compiles a tree, from wherever it comes.
 * @throws CompileError
 */
export function compileTree(query: QueryTree, options: CompileOptions, suggest?: Suggest): Plan {
  const plan = finish(relate(query, options), options, suggest)
  return {
    ...plan,
    boundsTime: () => query.pipeline.operators.some(boundsTime),
    ...(plan.buckets && compileTotals(query, options)),
  }
}

/** Whether a condition is one on `_time`. */
function boundsTime(operator: Operator): boolean {
  return operator.kind === 'where' && comparesTime(operator.predicate)
}

function comparesTime(node: Expression): boolean {
  if (node.kind === 'logical' && node.operator === 'and') return node.operands.some(comparesTime)
  if (node.kind === 'between') return dottedName(node.value) === '_time'
  return node.kind === 'binary' && [node.left, node.right].some((side) => dottedName(side) === '_time')
}
