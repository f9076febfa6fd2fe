/** The query for the most frequent values of a field, and what its answer says. Pure. */

import type { View } from '../address/view.ts'
import { withoutField } from '../filters/filter.ts'
import { eventsOfQuery, filterDataset, filterQuery } from '../filters/filtered.ts'
import { writeName } from '../query/name.ts'
import type { TabularAnswer } from '../service/query.ts'

export const VALUES_SHOWN = 10
/** After "More". */
export const VALUES_MAX = 100

/**
 * @param datasets those that have the field
 * @param count how many values are wanted
 * @returns a query of one row for each value, the most frequent first, and of one more where there are more. The filters of the
 *   field itself are left out of it, so that other values than those can be chosen
 */
export function valuesQuery(
  field: string,
  datasets: readonly string[],
  { apl, filters }: Pick<View, 'apl' | 'filters'>,
  count: number,
): string {
  const others = withoutField(filters, field)
  const ofDatasets = datasets.map((name) => filterDataset(name, others, true))
  const union = ofDatasets.length === 1 ? ofDatasets.join() : `union ${ofDatasets.map((one) => `(${one})`).join(', ')}`
  const events = apl === '' ? union : filterQuery(eventsOfQuery(apl), others)
  return `${events}
| summarize count_ = count() by value = ${writeName(field)}
| sort by count_ desc
| limit ${count + 1}`
}

export interface FrequentValue {
  value: unknown
  count: number
  /** Of all events, from 0 to 1. */
  share: number
}

interface FrequentValues {
  /** The most frequent first, as many as were wanted. */
  values: FrequentValue[]
  /** Of the values, as the service tells it. */
  type: string
  hasMore: boolean
  /** Events that were looked at. */
  total: number
}

export function readValues({ tables: [table], status }: TabularAnswer, wanted: number): FrequentValues {
  const columnOf = (name: string) => table?.columns[table.fields.findIndex((field) => field.name === name)] ?? []
  const [values, counts] = [columnOf('value'), columnOf('count_').map(Number)]
  const total = Math.max(
    status.rowsMatched ?? 0,
    counts.reduce((sum, count) => sum + count, 0),
  )
  return {
    values: values.slice(0, wanted).map((value, at) => {
      const count = counts[at] ?? 0
      return { value, count, share: total === 0 ? 0 : count / total }
    }),
    type: table?.fields.find(({ name }) => name === 'value')?.type ?? '',
    hasMore: values.length > wanted,
    total,
  }
}
