/**
 * One SELECT under construction. What it exports is only known once everything around it has been compiled, so its text is written last,
 * from the outside in: no SELECT exports a column that nothing reads (the engine does not prune JSON sub-columns through a sub-query).
 * Deliberately not here: names of the query language; columns are SQL expressions.
 */
import assert from 'node:assert'
import { CompileError, NOWHERE } from '../error.ts'
import { SELECT_DEPTH_MAX } from '../limits.ts'
import { isMixed, orderKeysOf } from './mixed.ts'
import type { Value } from './value.ts'

type From =
  /** A quoted table name. */
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'select'; readonly select: Select }
  | {
      readonly kind: 'join'
      readonly left: Select
      readonly right: Select
      readonly how: string
      readonly on: readonly (readonly [string, string])[]
    }
  | { readonly kind: 'union'; readonly selects: readonly Select[] }
  /** One row without columns. */
  | { readonly kind: 'one' }

export interface OrderKey {
  /** As the query names it. */
  readonly name: string
  readonly value: Value
  readonly descending: boolean
  readonly nulls?: 'first' | 'last'
  /** Added by us, so that equal rows have an order. */
  readonly implied?: true
}

/** Hands out column names that occur nowhere else in the statement: an alias that equals a column would change what the column means. */
export class Aliases {
  #columns = 0
  #tables = 0

  column(): string {
    return `c${this.#columns++}`
  }

  table(): string {
    return `t${this.#tables++}`
  }
}

export class Select {
  readonly from: From
  readonly aliases: Aliases
  readonly depth: number
  readonly conditions: string[] = []
  /** The rows of a group. */
  rows = 'count()'
  /**
   * Conditions that hold of all rows, for where there are no others. Only with a condition does the engine first find the rows of a page
   * and then read whole events, of which it else reads some in every part: the newest 100 of five parts took 30 ms of processor time, not 13.
   */
  truths: readonly string[] = []
  /** Expressions to group by; an empty list is one group of everything. */
  groupBy: readonly string[] | undefined
  readonly having: string[] = []
  /** `ARRAY JOIN` clauses, arrays of one length: `expression AS alias`. */
  readonly arrayJoins: string[] = []
  order: readonly OrderKey[] = []
  limit: { readonly count: number; readonly bound: string } | undefined
  /** A second, coarser grouping of the same rows, and the column that tells the two apart. */
  #totals: { readonly keys: readonly string[]; readonly isTotal: string; readonly alias: string } | undefined
  readonly #known = new Map<string, string>()
  readonly #exports: { readonly sql: string; readonly alias: string }[] = []

  constructor(from: From, aliases: Aliases) {
    this.from = from
    this.aliases = aliases
    this.depth = 1 + Math.max(0, ...inner(from).map((select) => select.depth))
    if (this.depth > SELECT_DEPTH_MAX)
      throw new CompileError('limit', `the query needs more than ${SELECT_DEPTH_MAX} nested steps`, NOWHERE)
  }

  /** Makes an expression a column of this SELECT, once, and returns its name. */
  export(sql: string): string {
    return this.#known.get(sql) ?? this.exportAgain(sql)
  }

  /** Adds a column even where an equal one exists: branches of a union must stay in step. */
  exportAgain(sql: string): string {
    const alias = this.aliases.column()
    this.#known.set(sql, alias)
    this.#exports.push({ sql, alias })
    return alias
  }

  /** Makes an expression a column, and returns its position. */
  cell(sql: string): number {
    const alias = this.export(sql)
    return this.#exports.findIndex((column) => column.alias === alias)
  }

  /** Groups by some of the keys alone too. The first cell is 1 in the rows of that, and 0 in the others. */
  groupTotals(keys: readonly string[]): void {
    const missing = this.groupBy?.find((key) => !keys.includes(key))
    assert(missing !== undefined, 'totals are grouped by fewer keys')
    const isTotal = `grouping(${missing})`
    this.#totals = { keys, isTotal, alias: this.export(isTotal) }
  }

  /** The position of a cell that has in every row how many rows were grouped: before the limit and over all groups, so that the table need not be read again. */
  cellOfGroupedRows(): number {
    // Which is the only row, and needs neither a limit nor a window.
    if (this.groupBy?.length === 0) {
      this.limit = undefined
      return this.cell(this.#rowsAlone)
    }
    return this.cell(this.#totals ? `sumIf(${this.rows}, ${this.#totals.isTotal} = 0) OVER ()` : `sum(${this.rows}) OVER ()`)
  }

  /** As the language's `count()` has it: a second aggregation beside it would keep the engine from answering by the sizes of parts alone. */
  get #rowsAlone(): string {
    return `toInt64(${this.rows})`
  }

  /** The order alone, for looking at rows beside one. */
  orderSql(): string {
    return this.order.flatMap(orderSql).join(', ')
  }

  /** The text of the SELECT, with the columns asked for so far. */
  render(): string {
    const order = this.order.flatMap(orderSql)
    // One group of everything, even where no column that is asked for aggregates.
    const isOneGroup = this.groupBy?.length === 0 && !this.#known.has(this.#rowsAlone)
    const having = isOneGroup ? [`${this.rows} >= 0`, ...this.having] : this.having
    const tail = [
      ...this.#groupSql(),
      ...(having.length > 0 ? [`HAVING ${having.join(' AND ')}`] : []),
      ...(order.length > 0 ? [`ORDER BY ${order.join(', ')}`] : []),
      ...(this.limit === undefined ? [] : [`LIMIT ${this.limit.bound}${this.#totals ? ` BY ${this.#totals.alias}` : ''}`]),
    ]
    const columns = this.#exports.map(({ sql, alias }) => `${sql} AS ${alias}`)
    if (columns.length === 0) columns.push(`1 AS ${this.aliases.column()}`)
    const isPage = order.length > 0 && this.limit !== undefined && this.groupBy === undefined
    const conditions = isPage && this.conditions.length === 0 ? this.truths : this.conditions
    return [`SELECT ${columns.join(', ')}`, ...this.#body([...columns, ...tail], conditions), ...tail].join('\n')
  }

  #groupSql(): string[] {
    const { groupBy = [] } = this
    if (groupBy.length === 0) return []
    if (!this.#totals) return [`GROUP BY ${groupBy.join(', ')}`]
    // A rollup merges what the groups have come to; sets group all rows again: 18 % more processor time for a percentile.
    if (groupBy.length === 1) return [`GROUP BY ${groupBy[0]} WITH ROLLUP`]
    return [`GROUP BY GROUPING SETS ((${groupBy.join(', ')}), (${this.#totals.keys.join(', ')}))`]
  }

  /** How many rows pass the conditions, before grouping, order and limit. */
  renderCount(): string {
    const { from } = this
    // Columns that only moved outside, because they are long, do not change which rows were grouped.
    const isPassedOn = this.groupBy === undefined && this.conditions.length === 0 && this.arrayJoins.length === 0
    if (from.kind === 'select' && isPassedOn && from.select.isWholeGrouping()) return from.select.renderCount()
    return ['SELECT count() AS n', ...this.#body([])].join('\n')
  }

  /** Whether it groups, and all groups come out. */
  private isWholeGrouping(): boolean {
    return this.groupBy !== undefined && this.having.length === 0 && this.limit === undefined
  }

  /** @param around what else the SELECT says: an array that nothing reads is not expanded, unless it is the only one */
  #body(around: readonly string[], conditions: readonly string[] = this.conditions): string[] {
    const names = new Set([...around, ...conditions].join(' ').match(/\bc\d+\b/g))
    const read = this.arrayJoins.filter((join) => names.has(/c\d+$/.exec(join)?.[0] as string))
    const joins = read.length > 0 ? read : this.arrayJoins.slice(0, 1)
    return [
      `FROM ${this.#fromSql()}`,
      ...(joins.length > 0 ? [`ARRAY JOIN ${joins.join(', ')}`] : []),
      ...(conditions.length > 0 ? [`WHERE ${conditions.join(' AND ')}`] : []),
    ]
  }

  #fromSql(): string {
    const { from } = this
    switch (from.kind) {
      case 'table':
        return from.table
      case 'one':
        return 'system.one'
      case 'select':
        return `(\n${from.select.render()}\n)`
      case 'union':
        return `(\n${from.selects.map((select) => wholeSelect(select)).join('\nUNION ALL\n')}\n)`
      case 'join': {
        const on = from.on.map(([left, right]) => `${left} = ${right}`).join(' AND ')
        const [left, right] = [this.aliases.table(), this.aliases.table()]
        return `(\n${from.left.render()}\n) AS ${left}\n${from.how} (\n${from.right.render()}\n) AS ${right} ON ${on}`
      }
      default:
        return from satisfies never
    }
  }
}

function inner(from: From): readonly Select[] {
  switch (from.kind) {
    case 'select':
      return [from.select]
    case 'join':
      return [from.left, from.right]
    case 'union':
      return from.selects
    default:
      return []
  }
}

/** In a union, ORDER BY and LIMIT of one branch would be read as those of the whole. */
function wholeSelect(select: Select): string {
  return select.order.length > 0 || select.limit !== undefined ? `SELECT * FROM (\n${select.render()}\n)` : select.render()
}

/** Numbers sort before text where a column holds both. */
function orderSql({ value, descending, nulls }: OrderKey): string[] {
  // A constant orders nothing, and the engine would take some for the position of a column.
  if (value.literal) return []
  const direction = descending ? ' DESC' : ''
  if (!value.nullable) return [`${value.as('plain')}${direction}`]
  const place = nulls ?? (descending ? 'last' : 'first')
  const { numbers, texts } = isMixed(value) ? orderKeysOf(value) : { numbers: [], texts: [value.as('plain')] }
  const keys = [...numbers, ...texts]
  if (keys.length === 1) return keys.map((sql) => `${sql}${direction} NULLS ${place.toUpperCase()}`)
  // What is missing is NULL in each of the keys, and every other value in some of them.
  const missing = `(${keys.map((sql) => `isNull(${sql})`).join(' AND ')})`
  return [...(place === 'first' ? [`${missing} DESC`] : []), ...keys.map((sql) => `${sql}${direction} NULLS LAST`)]
}
