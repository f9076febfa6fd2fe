/**
 * A SELECT statement as data, as `parse_sql()` answers it and `format_sql()` takes it: simple statements, of which every part is known.
 * Deliberately not here: statements that change data, windows, WITH, UNION and queries inside queries.
 */

/** A column, a value, a call, or an operator with its operands. */
export interface SqlExpression {
  readonly colname?: string
  readonly value?: string
  readonly valtype?: string
  readonly function?: string
  readonly operator?: string
  readonly params?: readonly SqlExpression[]
  readonly distinct?: boolean
  readonly alias?: string
}

export interface SqlTable {
  readonly table: string
  readonly alias?: string
  /** How it is joined to those before it. */
  readonly join?: string
  readonly on?: SqlExpression
}

export interface SqlModel {
  readonly statement: 'select'
  readonly distinct?: boolean
  readonly columns: readonly SqlExpression[]
  readonly from?: readonly SqlTable[]
  readonly where?: SqlExpression
  readonly group?: readonly SqlExpression[]
  readonly having?: SqlExpression
  readonly order?: readonly { readonly expr: SqlExpression; readonly direction: string }[]
  readonly limit?: string
  readonly offset?: string
}

const isText = (value: unknown) => value === undefined || typeof value === 'string'
const isList = (value: unknown, isItem: (item: unknown) => boolean) =>
  value === undefined || (Array.isArray(value) && value.every(isItem))
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function isExpression(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { colname, value: constant, valtype, function: name, operator, alias, params } = value
  return [colname, constant, valtype, name, operator, alias].every(isText) && isList(params, isExpression)
}

/** Whether anything, such as an object that somebody wrote by hand, is such a statement. */
export function isModel(value: unknown): value is SqlModel {
  if (!isRecord(value) || value.statement !== 'select' || value.columns === undefined) return false
  const maybe = (one: unknown) => one === undefined || isExpression(one)
  return (
    isList(value.columns, isExpression) &&
    isList(
      value.from,
      (one) => isRecord(one) && typeof one.table === 'string' && isText(one.alias) && isText(one.join) && maybe(one.on),
    ) &&
    isList(value.group, isExpression) &&
    isList(value.order, (one) => isRecord(one) && isExpression(one.expr) && typeof one.direction === 'string') &&
    [value.where, value.having].every(maybe) &&
    [value.limit, value.offset].every(isText)
  )
}

/** Words that are no names unless they are in quotes. */
export const CLAUSES: ReadonlySet<string> = new Set(
  'select distinct from where group by having order limit offset on join inner left right full cross outer union as and or not in like between is asc desc'.split(
    ' ',
  ),
)
