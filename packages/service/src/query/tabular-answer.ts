/**
 * The answer in the format `tabular`: tables of columns, and for queries of rows the contract's `matches` beside them.
 */

import type { Plan, PlanColumn } from '@deployment-annotations/apl/plan'
import type { QueryField, QueryStatus, Table, TabularAnswer, Value } from '@deployment-annotations/contract/query'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { asJson, type JsonText, listOf, objectOf, toJson } from './answer-text.ts'
import type { Executed } from './execute.ts'
import { matchesOf } from './matches.ts'
import type { QueryRequest } from './query-request.ts'
import type { Rows } from './rows.ts'

export async function tabularAnswer(
  request: QueryRequest,
  plan: Plan,
  executed: Executed,
  status: QueryStatus,
): Promise<JsonText<TabularAnswer>> {
  const tables = [tableOf('0', request, plan, executed.rows)]
  if (plan.totals && executed.totals) {
    const { buckets: _bins, ...rest } = plan
    tables.push(tableOf('_totals', request, { ...rest, columns: plan.totals.columns }, executed.totals))
  }
  return objectOf<TabularAnswer>({
    format: toJson('tabular'),
    status: toJson(status),
    tables: listOf(tables),
    ...(plan.kind === 'rows' && { matches: await matchesOf(plan, executed.rows) }),
    ...namesOf(plan),
  })
}

/** @returns the members that both formats end with */
export function namesOf({ datasets }: Plan): Names {
  return { datasetNames: toJson(datasets), fieldsMetaMap: toJson(Object.fromEntries(datasets.map((name) => [name, []]))) }
}

interface Names {
  datasetNames: JsonText<TabularAnswer['datasetNames']>
  fieldsMetaMap: JsonText<TabularAnswer['fieldsMetaMap']>
}

function tableOf(name: string, { range }: QueryRequest, plan: Plan, { values }: Rows): JsonText<Table> {
  const { columns, datasets, order, groups, buckets } = plan
  const names = new Set(columns.map((column) => column.name))
  return objectOf<Table>({
    name: toJson(name),
    sources: toJson(datasets.map((source) => ({ name: source }))),
    fields: toJson(columns.map(fieldOf)),
    order: toJson(order.filter(({ field }) => name === '0' || names.has(field))),
    groups: toJson(groups),
    range: toJson({ field: '_time', start: formatTimestamp(range.startNs), end: formatTimestamp(range.endNs) }),
    ...(buckets && { buckets: toJson({ field: buckets.field, size: Number(buckets.sizeNs) }) }),
    columns: listOf(columns.map((_, column) => asJson<Value[]>(`[${values.map((row) => row[column]).join(',')}]`))),
  })
}

function fieldOf({ name, type, agg }: PlanColumn): QueryField {
  return { name, type, ...(agg && { agg: { name: agg.name, fields: [...agg.fields] } }) }
}
