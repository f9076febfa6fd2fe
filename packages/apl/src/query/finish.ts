/**
 * The last SELECT of a query, with its limit, its cursor and its cells, as a plan.
 * Deliberately not here: totals beside bins of time; see `totals.ts`.
 */
import { CompileError, type Edit, NOWHERE } from '../error.ts'
import { ANSWER_CELLS_MAX, SQL_BYTES_MAX } from '../limits.ts'
import { ALWAYS_TRUE, type Message, type Plan, type PlanColumn, type Statement } from '../sql/plan.ts'
import { type Relation, settleOrder } from '../sql/relation.ts'
import type { Select } from '../sql/select.ts'
import { typeOf, type Value } from '../sql/value.ts'
import type { Emitter } from './emit.ts'
import type { CompileOptions, Cursor, Related } from './relate.ts'

/** Rows that an answer holds if the query has no limit of its own. */
const DEFAULT_LIMIT = 1_000
/** Rows that an answer holds at most, if the caller sets no other bound. */
const LIMIT_MAX = 65_000

/** What to write instead of the query, where that compiles. */
export type Suggest = (fix: readonly Edit[] | undefined) => { readonly suggestion?: string }
const NOTHING_SUGGESTED: Suggest = () => ({})

/** The last SELECT: limit, cursor and columns. */
export function finish(
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
    ...(events && events.hidden.size > 0 && { hidden: [...events.hidden] }),
    wholeEvents: events !== undefined && events.hidden.size === 0 && relation.columns.size === 0,
    limit,
    order: order.length > 0 || !identity ? order : [{ field: '_time', desc: true }],
    ...(paging && { paging }),
    groups: relation.groups.map((name) => ({ name })),
    ...(buckets && { buckets: { field: buckets.column, sizeNs: buckets.sizeNs } }),
    datasets: read,
    messages: [...messages, ...emitter.warnings.map(({ fix, ...message }) => ({ ...message, ...suggest(fix) }))],
    doubts: emitter.doubts,
    presence: () => {
      const asked = emitter.presence()
      const fields = asked?.fields.map(({ near, ...field }) =>
        near ? { ...field, near: { name: near.name, bit: near.bit, ...suggest(near.fix) } } : field,
      )
      return asked && fields && { fields, ...statement(asked.sql, emitter) }
    },
  }
}

/**
 * A stored field that nothing was done to is found in the whole event.
 * @param select gets the cell
 */
export function columnOf(name: string, relation: Relation, select = relation.select): PlanColumn {
  const isInEvent = !relation.columns.has(name) && relation.events !== undefined && !relation.events.system.has(name)
  if (isInEvent) return { name, type: typeOf(relation.events?.fields.get(name) ?? new Set()) }
  const value = relation.find(name) as Value
  const agg = relation.aggregations.get(name)
  const unit = value.quantity?.unit
  const cell = select.cell(value.as('output'))
  return { name, type: value.type, cell, encoding: value.encoding, ...(unit && unit !== 'd' && { unit }), ...(agg && { agg }) }
}

/** A limit above the bound is lowered, and a message says so. If the query gives none, an answer that is too large is refused when it is there. */
function limitRows(
  relation: Relation,
  { binder, warnings }: Emitter,
  options: CompileOptions,
): { limit: number; messages: Message[] } {
  const { select } = relation
  const { defaultLimit = DEFAULT_LIMIT, limitMax = LIMIT_MAX } = options
  const areEvents = relation.identity !== undefined && !wasLimited(select)
  const isDefault = select.limit === undefined
  const wanted = select.limit?.count ?? (areEvents ? defaultLimit : limitMax)
  const columns = relation.names().length
  const rowsMax = isDefault && !areEvents ? limitMax : Math.min(limitMax, Math.floor(ANSWER_CELLS_MAX / Math.max(1, columns)))
  const limit = Math.min(wanted, rowsMax)
  select.limit = { count: limit, bound: binder.count(limit) }
  if (wanted > rowsMax) {
    const what = rowsMax === limitMax ? 'one answer' : `one answer of ${columns} columns`
    const text = `the limit ${wanted} was lowered to ${limit}, the most rows that ${what} may have`
    return { limit, messages: [{ code: 'limit_capped', text }] }
  }
  // Beside the message that all data is included, the one about the default limit says nothing.
  const isToldOfAll = warnings.some(({ code }) => code === ALWAYS_TRUE)
  if (isDefault && areEvents && !isToldOfAll)
    return {
      limit,
      messages: [{ code: 'default_limit_warning', text: `no limit was given: at most ${limit} rows are returned` }],
    }
  return { limit, messages: [] }
}

/** Whether fewer rows were taken before what became of them. */
const wasLimited = ({ from }: Select): boolean =>
  from.kind === 'select' && (from.select.limit !== undefined || wasLimited(from.select))

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
export function statement(sql: string, { binder }: Emitter): Statement {
  const used = new Set(sql.match(/\{p\d+:/g)?.map((found) => found.slice(1, -1)))
  return { sql, params: Object.fromEntries(Object.entries(binder.params).filter(([name]) => used.has(name))) }
}
