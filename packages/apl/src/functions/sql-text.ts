/**
 * `parse_sql()` and `format_sql()` of statements that the query itself holds.
 * Deliberately not here: statements in events. The engine has no parser that a row could call, so those are refused.
 */
import { CompileError } from '../error.ts'
import type { Value } from '../value.ts'
import { type FunctionTable, type Invocation, special } from './definition.ts'
import { CLAUSES, isModel, type SqlExpression, type SqlModel, type SqlTable } from './sql-model.ts'
import { parseSql, SqlError } from './sql-parser.ts'

/** How tightly operators bind; what binds tighter needs no brackets inside what binds less. */
const BINDING: Readonly<Record<string, number>> = { or: 1, and: 2, not: 3, '+': 5, '-': 5, '||': 5, '*': 6, '/': 6, '%': 6 }
const bindingOf = ({ operator, params = [] }: SqlExpression) =>
  operator === undefined || (operator === '-' && params.length === 1) ? 7 : (BINDING[operator] ?? 4)

/** The statement in one line: keywords small, one blank between words. */
function formatSql(model: SqlModel): string {
  const { distinct, columns, from, where, group, having, order, limit, offset } = model
  return [
    `select ${distinct ? 'distinct ' : ''}${columns.map((column) => aliased(written(column), column)).join(', ')}`,
    from && `from ${from.map(tableOf).join('')}`,
    where && `where ${written(where)}`,
    group && `group by ${group.map((one) => written(one)).join(', ')}`,
    having && `having ${written(having)}`,
    order && `order by ${order.map(({ expr, direction }) => `${written(expr)} ${direction}`).join(', ')}`,
    limit && `limit ${limit}`,
    offset && `offset ${offset}`,
  ]
    .filter((part) => part !== undefined)
    .join(' ')
}

const aliased = (text: string, { alias }: { readonly alias?: string }) =>
  alias === undefined ? text : `${text} as ${nameOf(alias)}`

function tableOf(table: SqlTable, at: number): string {
  const text = aliased(nameOf(table.table), table)
  if (table.join === undefined) return at === 0 ? text : `, ${text}`
  return ` ${table.join} join ${text}${table.on ? ` on ${written(table.on)}` : ''}`
}

const PLAIN_NAME = /^[A-Za-z_][\w$]*(?:\.(?:[A-Za-z_][\w$]*|\*))*$|^\*$/
const nameOf = (name: string) =>
  PLAIN_NAME.test(name) && !CLAUSES.has(name.toLowerCase()) ? name : `"${name.replaceAll('"', '""')}"`

function written(expression: SqlExpression, binding = 0): string {
  const { colname, value, valtype, operator, params = [], distinct } = expression
  if (colname !== undefined) return nameOf(colname)
  if (value !== undefined) return valtype === 'string' ? `'${value.replaceAll("'", "''")}'` : value
  if (operator === undefined)
    return `${nameOf(expression.function ?? '')}(${distinct ? 'distinct ' : ''}${params.map((one) => written(one)).join(', ')})`
  const own = bindingOf(expression)
  const [first, ...more] = params.map((one, at) => written(one, own + (at === 0 && own !== 4 ? 0 : 1)))
  const text = operation(operator, first ?? '', more)
  return own < binding ? `(${text})` : text
}

function operation(operator: string, first: string, more: readonly string[]): string {
  if (operator.endsWith('null')) return `${first} ${operator}`
  if (more.length === 0) return operator === '-' ? `-${first}` : `${operator} ${first}`
  if (operator.endsWith('between')) return `${first} ${operator} ${more.join(' and ')}`
  return operator === 'in' || operator === 'not in'
    ? `${first} ${operator} (${more.join(', ')})`
    : `${first} ${operator} ${more.join(' ')}`
}

function statementOf({ context, call }: Invocation, { literal }: Value): Value {
  const [node] = call.arguments
  const span = node?.span ?? call.span
  if (literal?.type !== 'string')
    throw new CompileError(
      'unsupported',
      'parse_sql() takes a statement that stands in the query; those in events are not taken apart',
      span,
      "extract() finds a part of a text: extract('from ([a-z_]+)', 1, tolower(query))",
    )
  try {
    return context.literal({ type: 'dynamic', json: JSON.stringify(parseSql(literal.value)) })
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    throw new CompileError('type_mismatch', `parse_sql() reads simple SELECT statements, and stops at ${error.message}`, span)
  }
}

function textOf({ context, call }: Invocation, { literal }: Value): Value {
  const model: unknown = literal?.type === 'dynamic' ? JSON.parse(literal.json) : undefined
  if (isModel(model)) return context.literal({ type: 'string', value: formatSql(model) })
  throw new CompileError(
    'unsupported',
    'format_sql() takes what parse_sql() answers',
    call.span,
    "write format_sql(parse_sql('select …'))",
  )
}

export const SQL_FUNCTIONS: FunctionTable = {
  parse_sql: special('statement:text', (invocation) => statementOf(invocation, invocation.argument(0))).shows(
    "parse_sql('select id from logs')",
    { statement: 'select', columns: [{ colname: 'id' }], from: [{ table: 'logs' }] },
  ),
  format_sql: special('model:any', (invocation) => textOf(invocation, invocation.argument(0))).shows(
    "format_sql(parse_sql('SELECT id  FROM logs'))",
    'select id from logs',
  ),
}
