/**
 * The entry point of the query language: a text, or the tree of a legacy body, becomes a plan. A query by time bins gets a second
 * statement for its totals, or both in one where they can be grouped in one pass. It is one file past 300 lines because a suggestion is a
 * text that compiles, and is made by the same two functions.
 */

import { applyEdits, attachSource, CompileError, type Edit, NOWHERE } from './error.ts'
import { ANSWER_CELLS_MAX, QUERY_LENGTH_MAX, SQL_BYTES_MAX } from './limits.ts'
import { type Catalogue, Emitter } from './query/emit.ts'
import { parseQuery } from './query/parser.ts'
import { resolve, type Variables } from './query/resolve.ts'
import { ALWAYS_TRUE, type InStates, type Message, type Plan, type PlanColumn, type Statement } from './sql/plan.ts'
import { quoteName } from './sql/quoting.ts'
import { type Relation, settleOrder } from './sql/relation.ts'
import { areSure, readsStatesOnly, States } from './sql/states.ts'
import { typeOf, type Value } from './sql/value.ts'
import type { Expression, Operator, Pipeline, QueryTree } from './tree/ast.ts'
import { dottedName } from './tree/expression-name.ts'
import type { ContextSettings, TimeRange } from './values/context.ts'

export type { Catalogue, Dataset } from './query/emit.ts'
export type { GivenRows } from './query/given-rows.ts'

/** Rows that an answer holds if the query has no limit of its own. */
const DEFAULT_LIMIT = 1_000
/** Rows that an answer holds at most, if the caller sets no other bound. */
const LIMIT_MAX = 65_000

/** A place among the rows of a query: a row, and whether the page includes it. */
interface Cursor {
  readonly timeNs: bigint
  readonly row: bigint
  readonly inclusive: boolean
}

export interface CompileOptions {
  readonly datasets: Catalogue
  readonly range: TimeRange
  /** What `now()` is. */
  readonly nowNs: bigint
  /** Where to go on, in the direction that the query's order gives. */
  readonly cursor?: Cursor | undefined
  readonly defaultLimit?: number | undefined
  readonly limitMax?: number | undefined
  readonly variables?: Variables | undefined
  /** Bin size of `bin_auto`; chosen from the range where absent. */
  readonly resolutionNs?: bigint | undefined
  /** Whether a statement that groups also says how many rows it grouped, so that `count` need not be run. */
  readonly countsMatched?: boolean | undefined
}

/**
 * Compiles a query text.
 * @throws QueryError with the place of what is wrong; nothing else, whatever the text
 */
export function compile(text: string, options: CompileOptions): Plan {
  return attachSource(text, () => {
    const query = parseQuery(text)
    const compiles = (other: string) => {
      try {
        return compileTree(parseQuery(other), options) !== undefined
      } catch (error) {
        if (error instanceof CompileError) return false
        throw error
      }
    }
    const suggest: Suggest = (fix) => {
      const suggestion = fix && fix.length > 0 ? applyEdits(text, fix) : undefined
      return suggestion !== undefined && suggestion.length <= QUERY_LENGTH_MAX && compiles(suggestion) ? { suggestion } : {}
    }
    return { ...compileTree(query, options, suggest), bounded: () => boundedBy(query, suggest) }
  })
}

/** What to write instead of the query, where that compiles. */
type Suggest = (fix: readonly Edit[] | undefined) => { readonly suggestion?: string }
const NOTHING_SUGGESTED: Suggest = () => ({})

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
export function compileTree(query: QueryTree, options: CompileOptions, suggest = NOTHING_SUGGESTED): Plan {
  const plan = {
    ...finish(relate(query, options), options, suggest),
    boundsTime: () => query.pipeline.operators.some(boundsTime),
  }
  const pipeline = plan.buckets && withoutBins(query.pipeline)
  if (!pipeline) return plan
  const binless = { ...query, pipeline }
  return { ...plan, ...compileTotals(query, binless, options), inStates: () => compileInStates(query, binless, options) }
}

/** What the query without its bins answers, alone and beside the bins; nothing where what follows the bins needs them. */
function compileTotals(query: QueryTree, binless: QueryTree, options: CompileOptions): Pick<Plan, 'totals' | 'together'> {
  try {
    const { sql, params, columns } = finish(relate(binless, options, { ranksGroups: true }), { ...options, countsMatched: false })
    return { totals: { sql, params, columns }, ...compileTogether(query, binless, options) }
  } catch (error) {
    if (error instanceof CompileError) return {}
    throw error
  }
}

/** Of relations of their own: the others are written out already. */
function compileTogether(query: QueryTree, binless: QueryTree, options: CompileOptions): Pick<Plan, 'together'> {
  const binned = relate(query, options)
  const { relation: totals } = relate(binless, options, { ranksGroups: true, binder: binned.emitter.binder })
  const { select } = binned.relation
  const keys = keysOfTotals(binned.relation, totals)
  if (!keys) return {}
  select.groupTotals(keys)
  const ofTotals = totals.names().map((name) => columnOf(name, totals, select))
  const { sql, params, columns, cells } = finish(binned, options)
  return { together: { sql, params, columns, cells, totals: ofTotals, hasOneTotal: keys.length === 0 } }
}

/** The same in two steps, where both say the same as one, and the rows are those of one table that meet conditions of their own. */
function compileInStates(query: QueryTree, binless: QueryTree, options: CompileOptions): InStates | undefined {
  const states = new States()
  const binned = relate(query, options, { states })
  const { binder, tables } = binned.emitter
  const { relation: totals } = relate(binless, options, { ranksGroups: true, states, binder })
  const { select, buckets } = binned.relation
  const [keys, [bin, ...others]] = [keysOfTotals(binned.relation, totals), select.groupBy ?? []]
  const [table, ...joined] = tables
  if (!keys || !buckets || !bin || others.length > 0 || !table || joined.length > 0 || options.cursor) return undefined
  const conditions = select.conditions.splice(0)
  select.groupTotals(keys)
  const ofTotals = totals.names().map((name) => columnOf(name, totals, select))
  const { sql, params, columns, cells } = finish(binned, options)
  const ofRows = [...states.columns].map(([name, state]) => `${state} AS ${name}`)
  if (!states.isExact || !areSure([...ofRows, ...conditions]) || !readsStatesOnly(sql)) return undefined
  const statesOf = (more: readonly string[]) => {
    const all = [...conditions, ...more]
    return `SELECT ${[`${bin} AS bin`, ...ofRows].join(', ')} FROM ${quoteName(table)} ${all.length > 0 ? `WHERE ${all.join(' AND ')} ` : ''}GROUP BY bin`
  }
  return {
    ...{ sql, columns, cells, totals: ofTotals, hasOneTotal: keys.length === 0 },
    params: { ...params, ...statement(statesOf([]), binned.emitter).params },
    ...{ table, sizeNs: buckets.sizeNs, states: statesOf },
  }
}

/** The rows of a query, before the last SELECT is finished. */
interface Related {
  readonly relation: Relation
  readonly emitter: Emitter
  /** Datasets read. */
  readonly read: readonly string[]
}

function relate(
  query: QueryTree,
  options: CompileOptions,
  more: Pick<ContextSettings, 'ranksGroups' | 'binder' | 'states'> = {},
): Related {
  const { datasets, range, nowNs, resolutionNs, variables = {} } = options
  const resolved = resolve(query, datasets.keys(), variables)
  const emitter = new Emitter(datasets, { range, nowNs, resolutionNs, ...more })
  const relation = emitter.query(resolved)
  return { relation, emitter, read: resolved.datasets }
}

/** The last SELECT: limit, cursor and columns. */
function finish(
  { relation, emitter, read }: Related,
  options: CompileOptions,
  suggest = NOTHING_SUGGESTED,
): Omit<Plan, 'boundsTime'> {
  const { select, identity, events, buckets } = relation
  const order = select.order.filter(({ implied }) => !implied).map(({ name, descending }) => ({ field: name, desc: descending }))
  settleOrder(relation)
  const { limit, messages } = limitRows(relation, emitter, options)
  const count = select.renderCount()
  const countsItself = options.countsMatched && select.groupBy !== undefined && select.having.length === 0 && limit > 0
  const paging = pagingOf(relation)
  if (options.cursor) addCursor(relation, paging, options.cursor, emitter)

  const cells = {
    ...(identity && { time: select.cell(identity.time.as('plain')), row: select.cell(identity.row.as('plain')) }),
    ...(events && { data: select.cell(events.whole.as('output')) }),
    // Before the limit and over all groups, so that the table need not be read a second time.
    ...(countsItself && { matched: select.cellOfGroupedRows() }),
  }
  const columns = relation.names().map((name) => columnOf(name, relation))
  const sql = select.render()
  if (Buffer.byteLength(sql) > SQL_BYTES_MAX) throw new CompileError('limit', 'the query is too large', NOWHERE)
  return {
    kind: identity ? 'rows' : 'table',
    ...statement(sql, emitter),
    count: statement(count, emitter),
    columns,
    cells,
    wholeEvents: events !== undefined && events.hidden.size === 0 && relation.columns.size === 0,
    limit,
    order: order.length > 0 || !identity ? order : [{ field: '_time', desc: true }],
    ...(paging && { paging }),
    groups: relation.groups.map((name) => ({ name })),
    ...(buckets && { buckets: { field: buckets.column, sizeNs: buckets.sizeNs } }),
    datasets: read,
    messages: messagesOf(
      messages,
      emitter.warnings.map(({ fix, ...message }) => ({ ...message, ...suggest(fix) })),
    ),
    presence: () => {
      const asked = emitter.presence()
      const fields = asked?.fields.map(({ near, ...field }) =>
        near ? { ...field, near: { name: near.name, bit: near.bit, ...suggest(near.fix) } } : field,
      )
      return asked && fields && { fields, ...statement(asked.sql, emitter) }
    },
  }
}

/** Who is told that all data is included need not be told of the limit that nobody gave. */
function messagesOf(ofLimit: readonly Message[], warnings: readonly Message[]): Message[] {
  const isAll = warnings.some(({ code }) => code === ALWAYS_TRUE)
  return [...ofLimit.filter(({ code }) => !isAll || code !== 'default_limit_warning'), ...warnings]
}

/**
 * A stored field that nothing was done to is found in the whole event.
 * @param select gets the cell
 */
function columnOf(name: string, relation: Relation, select = relation.select): PlanColumn {
  const isInEvent = !relation.columns.has(name) && relation.events !== undefined && !relation.events.system.has(name)
  if (isInEvent) return { name, type: typeOf(relation.events?.fields.get(name) ?? new Set()) }
  const value = relation.find(name) as Value
  const agg = relation.aggregations.get(name)
  const unit = value.quantity?.unit
  const cell = select.cell(value.as('output'))
  return { name, type: value.type, cell, encoding: value.encoding, ...(unit && { unit }), ...(agg && { agg }) }
}

/** A larger limit than there can be is lowered, and the answer says so; what nobody asked for is found too large when it is there. */
function limitRows(relation: Relation, { binder }: Emitter, options: CompileOptions): { limit: number; messages: Message[] } {
  const { select, identity } = relation
  const { defaultLimit = DEFAULT_LIMIT, limitMax = LIMIT_MAX } = options
  const isDefault = select.limit === undefined
  const wanted = select.limit?.count ?? (identity ? defaultLimit : limitMax)
  const columns = relation.names().length
  const rowsMax = isDefault && !identity ? limitMax : Math.min(limitMax, Math.floor(ANSWER_CELLS_MAX / Math.max(1, columns)))
  const limit = Math.min(wanted, rowsMax)
  select.limit = { count: limit, bound: binder.count(limit) }
  if (wanted > rowsMax) {
    const what = rowsMax === limitMax ? 'one answer' : `one answer of ${columns} columns`
    const text = `the limit ${wanted} was lowered to ${limit}, the most rows that ${what} may have`
    return { limit, messages: [{ code: 'limit_capped', text }] }
  }
  if (isDefault && identity)
    return {
      limit,
      messages: [{ code: 'default_limit_warning', text: `no limit was given: at most ${limit} rows are returned` }],
    }
  return { limit, messages: [] }
}

/** Pages need rows that occur once, in the order of time. */
function pagingOf({ select, identity, unique }: Relation): Plan['paging'] {
  const [first, second] = select.order
  if (!identity || !unique || select.groupBy || select.order.length !== 2 || !first || !second) return undefined
  if (first.value.as('plain') !== identity.time.as('plain') || second.value.as('plain') !== identity.row.as('plain'))
    return undefined
  return first.descending ? 'descending' : 'ascending'
}

/** Written out, because the engine does not use its index for a comparison of tuples. */
function addCursor(
  { select, identity }: Relation,
  paging: Plan['paging'],
  { timeNs, row, inclusive }: Cursor,
  { binder }: Emitter,
): void {
  if (!paging || !identity)
    throw new CompileError(
      'unsupported',
      'a cursor needs rows in the order of _time',
      NOWHERE,
      'end the query with "| sort by _time desc" or "asc" and a limit',
    )
  const [time, at] = [identity.time.as('plain'), binder.time(timeNs)]
  const before = paging === 'descending' ? '<' : '>'
  const rowTest = `${identity.row.as('plain')} ${before}${inclusive ? '=' : ''} ${binder.bind('UInt64', String(row))}`
  select.conditions.push(`${time} ${before}= ${at}`, `(${time} ${before} ${at} OR ${rowTest})`)
}

/** The parameters that a text has placeholders for. */
function statement(sql: string, { binder }: Emitter): Statement {
  const used = new Set(sql.match(/\{p\d+:/g)?.map((found) => found.slice(1, -1)))
  return { sql, params: Object.fromEntries(Object.entries(binder.params).filter(([name]) => used.has(name))) }
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

/** Whether a condition is one on `_time`. */
function boundsTime(operator: Operator): boolean {
  return operator.kind === 'where' && comparesTime(operator.predicate)
}

function comparesTime(node: Expression): boolean {
  if (node.kind === 'logical' && node.operator === 'and') return node.operands.some(comparesTime)
  if (node.kind === 'between') return dottedName(node.value) === '_time'
  return node.kind === 'binary' && [node.left, node.right].some((side) => dottedName(side) === '_time')
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
