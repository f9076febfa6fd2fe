/** Loads the fields of the charted datasets, and the most frequent values of each. */
import type { KnownField } from '@deployment-annotations/compare/signs'
import { useMemo } from 'preact/hooks'
import type { View } from '../address/view.ts'
import { withoutField } from '../filters/filter.ts'
import { eventsOfQuery, filterDataset, filterQuery } from '../filters/filtered.ts'
import { useLoad } from '../parts/use-load.ts'
import { compareNames, writeName } from '../query/name.ts'
import { listQueryable } from '../service/datasets.ts'
import type { TabularAnswer } from '../service/query.ts'
import { user } from '../service/session.ts'

/** Nobody reads more. */
export const VALUES_MAX = 100

/**
 * @param datasets the datasets that have the field
 * @returns a query with one row for each value, the most frequent first, and one row more if there are more values. It has no filters
 *   of the field itself, so that other values can be chosen
 */
export function valuesQuery({ name: field, datasets }: ListedField, { apl, filters }: Pick<View, 'apl' | 'filters'>): string {
  const others = withoutField(filters, field)
  const ofDatasets = datasets.map((name) => filterDataset(name, others, true))
  const union = ofDatasets.length === 1 ? ofDatasets.join() : `union ${ofDatasets.map((one) => `(${one})`).join(', ')}`
  const events = apl === '' ? union : filterQuery(eventsOfQuery(apl), others)
  return `${events}
| summarize count_ = count() by value = ${writeName(field)}
| sort by count_ desc
| limit ${VALUES_MAX + 1}`
}

/** @returns the most frequent values first */
export function readValues({ tables: [table], status }: TabularAnswer) {
  const [values = [], counts = []] = table?.columns ?? []
  const counted = counts.reduce<number>((sum, count) => sum + Number(count), 0)
  const total = Math.max(status.rowsMatched ?? 0, counted)
  return {
    values: values
      .slice(0, VALUES_MAX)
      .map((value, at) => ({ value, count: Number(counts[at]), share: Number(counts[at]) / total })),
    type: table?.fields[0]?.type ?? '',
    hasMore: values.length > VALUES_MAX,
  }
}

export interface ListedField {
  name: string
  types: string[]
  /** The datasets that have the field. */
  datasets: string[]
  /** Whether queries compute the field, so that no event has it. */
  isVirtual: boolean
}

/** Every event has these fields, and hardly two have the same value. */
const TIMES = new Set(['_time', '_sysTime'])

/** @param version a new number reloads the fields */
export function useFields(datasets: readonly string[], version: number) {
  const names = datasets.join()
  const load = (signal: AbortSignal) =>
    Promise.all(datasets.map(async (dataset) => ({ dataset, fields: await listQueryable(dataset, signal) })))
  // Which fields the token may read is known with its owner.
  const { data, error, isLoading } = useLoad(user.value && load, [names, version, user.value], names)
  const fields = useMemo(() => mergeFields(data ?? []), [data])
  return { fields, error, isLoading }
}

function mergeFields(lists: readonly { dataset: string; fields: readonly KnownField[] }[]): ListedField[] {
  const found = new Map<string, ListedField>()
  for (const { dataset, fields } of lists) {
    for (const { name, type, isVirtual = false } of fields) {
      if (TIMES.has(name)) continue
      const before = found.get(name)
      const types = new Set([...(before?.types ?? []), ...(isVirtual ? ['virtual'] : type.split('|'))])
      found.set(name, { name, types: [...types], datasets: [...new Set([...(before?.datasets ?? []), dataset])], isVirtual })
    }
  }
  return [...found.values()].sort((one, other) => compareNames(one.name, other.name))
}
