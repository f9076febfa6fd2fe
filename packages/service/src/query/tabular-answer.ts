/**
 * The answer in the format `tabular`: tables of columns, and for queries of rows the contract's `matches` beside them.
 */

import type { Plan, PlanColumn } from '@deployment-annotations/apl/plan'
import { CURSOR_COLUMN } from '@deployment-annotations/contract/query'
import type { QueryField, QueryStatus, Table, TabularAnswer } from '@deployment-annotations/contract/schemas/query'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { type JsonPieces, type JsonText, listOf, objectOf, toJson } from './answer-text.ts'
import { columnsOf } from './columns.ts'
import type { Executed } from './execute.ts'
import { matchesOf } from './matches.ts'
import type { QueryRequest } from './query-request.ts'

/** @param bare without the rows as events */
export function tabularAnswer(
  request: QueryRequest,
  plan: Plan,
  executed: Executed,
  status: QueryStatus,
  bare = false,
): JsonPieces<TabularAnswer> {
  const tables = [tableOf('0', request, request.includeCursorField ? withCursors(plan) : plan, executed)]
  if (plan.totals && executed.totals) {
    const { buckets: _bins, ...rest } = plan
    tables.push(tableOf('_totals', request, { ...rest, cells: {}, columns: plan.totals.columns }, { rows: executed.totals }))
  }
  return objectOf<TabularAnswer>({
    format: toJson('tabular'),
    status: toJson(status),
    tables: listOf(tables),
    ...(plan.kind === 'rows' && !bare && { matches: matchesOf(plan, executed.rows) }),
    ...namesOf(plan),
  })
}

/** The column of cursors is the last one; where rows are computed there is none, and a column of that name stays as it is. */
function withCursors<P extends Plan>(plan: P): P {
  const { columns, cells } = plan
  if (cells.time === undefined || columns.some(({ name }) => name === CURSOR_COLUMN)) return plan
  return { ...plan, columns: [...columns, { name: CURSOR_COLUMN, type: 'string', isCursor: true }] }
}

/** @returns the members that both formats end with */
export function namesOf({ datasets }: Plan): Names {
  return { datasetNames: toJson(datasets), fieldsMetaMap: toJson(Object.fromEntries(datasets.map((name) => [name, []]))) }
}

interface Names {
  datasetNames: JsonText<TabularAnswer['datasetNames']>
  fieldsMetaMap: JsonText<TabularAnswer['fieldsMetaMap']>
}

type RowsInOrder = Pick<Executed, 'rows' | 'order'>

function tableOf(name: string, { range }: QueryRequest, plan: Plan, { rows, order: rowOrder }: RowsInOrder): JsonPieces<Table> {
  const { columns, datasets, order, groups, buckets } = plan
  const names = new Set(columns.map((column) => column.name))
  return objectOf<Table>({
    name: toJson(name),
    sources: toJson(datasets.map((source) => ({ name: source }))),
    fields: toJson(columns.map(fieldOf)),
    order: toJson(order.filter(({ field }) => name === '0' || names.has(field))),
    groups: toJson(groups.filter(({ name: group }) => name === '0' || names.has(group))),
    range: toJson({ field: '_time', start: formatTimestamp(range.startNs), end: formatTimestamp(range.endNs) }),
    ...(buckets && { buckets: toJson({ field: buckets.field, size: Number(buckets.sizeNs) }) }),
    columns: columnsOf(rows, plan, rowOrder),
  })
}

function fieldOf({ name, type, agg }: PlanColumn): QueryField {
  return {
    name,
    type,
    ...(agg && { agg: { name: agg.name, fields: [...agg.fields], ...(agg.args && { args: [...agg.args] }) } }),
  }
}
