/**
 * What a query by bins of time answers without its bins: alone, beside the bins in one statement where one grouping does for both, and in
 * two steps where the rows of whole bins can be aggregated apart from each other.
 * Deliberately not here: where the states of bins are held, which is the store's.
 */
import { CompileError } from '../error.ts'
import type { InStates, Plan, Together } from '../sql/plan.ts'
import { quoteName } from '../sql/quoting.ts'
import type { Relation } from '../sql/relation.ts'
import { States } from '../sql/states.ts'
import type { Operator, Pipeline, QueryTree } from '../tree/ast.ts'
import { dottedName } from '../tree/expression-name.ts'
import { columnOf, finish, statement } from './finish.ts'
import { type CompileOptions, relate } from './relate.ts'

/** @returns nothing for a query without a grouping, and where what follows the bins needs them */
export function compileTotals(query: QueryTree, options: CompileOptions): Pick<Plan, 'totals' | 'together' | 'inStates'> {
  const pipeline = withoutBins(query.pipeline)
  if (!pipeline) return {}
  const binless = { ...query, pipeline }
  const totals = ifCompiles((): Pick<Plan, 'totals' | 'together'> => {
    if (options.areBinsEnough) return {}
    const { sql, params, columns } = finish(relate(binless, options, { ranksGroups: true }), { ...options, countsMatched: false })
    // Of relations of their own: the others are written out already.
    const compiled = compileTogether(query, binless, options)
    return { totals: { sql, params, columns }, ...(compiled && { together: compiled.together }) }
  })
  return totals ? { ...totals, inStates: () => ifCompiles(() => compileInStates(query, binless, options)) } : {}
}

/** What is compiled, or nothing where it is a mistake in the language. */
export function ifCompiles<T>(compile: () => T): T | undefined {
  try {
    return compile()
  } catch (error) {
    if (error instanceof CompileError) return undefined
    throw error
  }
}

/**
 * The rows of the bins and of the totals in one statement.
 * @param states filled, where the rows of the statement are states; the conditions are then those of the rows that these are of
 * @returns nothing where the totals need a grouping of their own
 */
function compileTogether(query: QueryTree, binless: QueryTree, options: CompileOptions, states?: States) {
  const binned = relate(query, options, states && { states })
  const { relation, emitter } = binned
  const { select } = relation
  const more = { ranksGroups: true, binder: emitter.binder, ...(states && { states }) }
  const { relation: totals } = relate(binless, options, more)
  const keys = keysOfTotals(relation, totals)
  if (!keys) return undefined
  const conditions = states ? select.conditions.splice(0) : []
  select.groupTotals(keys)
  const ofTotals = totals.names().map((name) => columnOf(name, totals, select))
  const { sql, params, columns, cells } = finish(binned, options)
  const together: Together = { sql, params, columns, cells, totals: ofTotals, hasOneTotal: keys.length === 0 }
  return { together, conditions, relation, emitter }
}

/**
 * The same in two steps.
 * @returns nothing where the rows are not those of one table, or are grouped by more than bins
 * @throws CompileError where two steps might say something else than one
 */
function compileInStates(query: QueryTree, binless: QueryTree, options: CompileOptions): InStates | undefined {
  const states = new States()
  const compiled = compileTogether(query, binless, options, states)
  if (!compiled) return undefined
  const { together, conditions, relation, emitter } = compiled
  const [bin, ...others] = relation.select.groupBy ?? []
  const [table, ...joined] = emitter.tables
  if (!relation.buckets || !bin || others.length > 0 || !table || joined.length > 0 || options.cursor) return undefined
  const columns = [`${bin} AS bin`, ...[...states.columns].map(([name, state]) => `${state} AS ${name}`)].join(', ')
  const statesOf = (more: readonly string[]) => {
    const all = [...conditions, ...more]
    const where = all.length > 0 ? `WHERE ${all.join(' AND ')} ` : ''
    return `SELECT ${columns} FROM ${quoteName(table)} ${where}GROUP BY bin`
  }
  const ofAll = statement(statesOf([]), emitter)
  const params = { ...together.params, ...ofAll.params }
  return { ...together, params, key: JSON.stringify(ofAll), table, sizeNs: relation.buckets.sizeNs, states: statesOf }
}

/** @returns the query without its time bins, `undefined` where nothing is summarized */
function withoutBins(pipeline: Pipeline): Pipeline | undefined {
  const at = pipeline.operators.findLastIndex(({ kind }) => kind === 'summarize')
  const operator = pipeline.operators[at]
  if (operator?.kind !== 'summarize')
    return pipeline.source.kind === 'subquery' ? withoutBins(pipeline.source.pipeline) : undefined
  const by = operator.by.filter(
    ({ expression }) =>
      !(
        expression.kind === 'call' &&
        /^bin(?:_auto)?$|^floor$/.test(expression.name) &&
        dottedName(expression.arguments[0] ?? expression) === '_time'
      ),
  )
  const operators: Operator[] = pipeline.operators
    .map((other, index) => (index === at ? { ...operator, by } : other))
    .filter((other) => !sortsByTimeOnly(other))
  return { ...pipeline, operators }
}

/** An order by the bins says nothing about totals. */
function sortsByTimeOnly(operator: Operator): boolean {
  return operator.kind === 'sort' && operator.keys.every(({ expression }) => dottedName(expression) === '_time')
}

/**
 * Whether the totals are what the bins' own SELECT makes of fewer keys: of the same rows of a table, with the same condition on groups,
 * in an order that holds for both, and none left out.
 * @param totals compiled with the binder of the other
 * @returns the keys of the totals
 */
function keysOfTotals({ select: bins }: Relation, { select: totals }: Relation): readonly string[] | undefined {
  const [{ groupBy: all }, { groupBy: keys }] = [bins, totals]
  const isOfTable = bins.from.kind === 'table' && bins.arrayJoins.length === 0 && totals.arrayJoins.length === 0
  if (!isOfTable || !all || !keys || bins.limit || totals.limit) return undefined
  const isSame =
    bins.renderCount() === totals.renderCount() &&
    bins.having.join('\n') === totals.having.join('\n') &&
    (totals.order.length === 0 || totals.orderSql() === bins.orderSql()) &&
    keys.every((key) => all.includes(key))
  return isSame && keys.length < all.length ? keys : undefined
}
