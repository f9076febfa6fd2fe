/**
 * The answer in the format `tabular`: tables of columns, and for queries of rows the contract's `matches` beside them.
 */

import type { Plan, PlanColumn } from '@deployment-annotations/apl/plan'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import type { Executed } from './execute.ts'
import { matchesOf } from './matches.ts'
import type { QueryRequest } from './query-request.ts'
import type { Rows } from './rows.ts'

/** @returns JSON text */
export async function tabularAnswer(request: QueryRequest, plan: Plan, executed: Executed, status: object): Promise<string> {
  const tables = [tableOf('0', request, plan, executed.rows)]
  if (plan.totals && executed.totals) {
    const { buckets: _bins, ...rest } = plan
    tables.push(tableOf('_totals', request, { ...rest, columns: plan.totals.columns }, executed.totals))
  }
  const matches = plan.kind === 'rows' ? `,"matches":${await matchesOf(plan, executed.rows)}` : ''
  return `{"format":"tabular","status":${JSON.stringify(status)},"tables":[${tables.join(',')}]${matches},${namesOf(plan)}}`
}

/** @returns the members that both formats end with */
export function namesOf({ datasets }: Plan): string {
  const meta = Object.fromEntries(datasets.map((name) => [name, []]))
  return `"datasetNames":${JSON.stringify(datasets)},"fieldsMetaMap":${JSON.stringify(meta)}`
}

function tableOf(name: string, { range }: QueryRequest, plan: Plan, { values }: Rows): string {
  const { columns, datasets, order, groups, buckets } = plan
  const names = new Set(columns.map((column) => column.name))
  const head = JSON.stringify({
    name,
    sources: datasets.map((source) => ({ name: source })),
    fields: columns.map(fieldOf),
    order: order.filter(({ field }) => name === '0' || names.has(field)),
    groups,
    range: { field: '_time', start: formatTimestamp(range.startNs), end: formatTimestamp(range.endNs) },
    ...(buckets && { buckets: { field: buckets.field, size: Number(buckets.sizeNs) } }),
  })
  const cells = columns.map((_, column) => `[${values.map((row) => row[column]).join(',')}]`)
  return `${head.slice(0, -1)},"columns":[${cells.join(',')}]}`
}

function fieldOf({ name, type, agg }: PlanColumn): object {
  return { name, type, ...(agg && { agg }) }
}
