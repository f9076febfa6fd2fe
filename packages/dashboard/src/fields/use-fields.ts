/** Loads the fields of the charted datasets, and the most frequent values of each. */
import { useMemo } from 'preact/hooks'
import type { View } from '../address/view.ts'
import { withoutField } from '../filters/filter.ts'
import { eventsOfQuery, filterDataset, filterQuery } from '../filters/filtered.ts'
import { useLoad } from '../parts/use-load.ts'
import { compareNames, writeName } from '../query/name.ts'
import { listFields, virtualFieldRequests } from '../service/datasets.ts'
import type { TabularAnswer } from '../service/query.ts'
import { may } from '../service/session.ts'

export const VALUES_SHOWN = 10
/** The number of values after a click on "More". */
export const VALUES_MAX = 100

/**
 * @param datasets the datasets that have the field
 * @param count the number of values wanted
 * @returns a query with one row for each value, the most frequent first, and one row more if there are more values. It has no filters
 *   of the field itself, so that other values can be chosen
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
  /** The share of all events, from 0 to 1. */
  share: number
}

/** @returns the most frequent values first, as many as were wanted, with the number of events that were counted */
export function readValues({ tables: [table], status }: TabularAnswer, wanted: number) {
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

export interface ListedField {
  name: string
  /** The types in words, such as `integer or string`. */
  types: string
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
  const mayReadVirtual = may('virtualFields|read')
  const load = (signal: AbortSignal) => Promise.all(datasets.map((dataset) => loadFields(dataset, mayReadVirtual, signal)))
  const { data, error, isLoading } = useLoad(load, [names, version, mayReadVirtual], names)
  const fields = useMemo(() => mergeFields(data ?? []), [data])
  return { fields, error, isLoading }
}

async function loadFields(dataset: string, mayReadVirtual: boolean, signal: AbortSignal) {
  const virtual = mayReadVirtual ? virtualFieldRequests.list(dataset, signal) : []
  return { dataset, fields: await listFields(dataset, signal), virtual: await virtual }
}

function mergeFields(lists: readonly Awaited<ReturnType<typeof loadFields>>[]): ListedField[] {
  const found = new Map<string, ListedField & { seen: Set<string> }>()
  const add = (name: string, types: readonly string[], dataset: string, isVirtual: boolean) => {
    const field = found.get(name) ?? { name, types: '', datasets: [], isVirtual, seen: new Set<string>() }
    for (const type of types) field.seen.add(type)
    field.types = [...field.seen].join(' or ')
    if (!field.datasets.includes(dataset)) field.datasets.push(dataset)
    found.set(name, field)
  }
  for (const { dataset, fields, virtual } of lists) {
    for (const { name, type } of fields) if (!TIMES.has(name)) add(name, type.split('|'), dataset, false)
    for (const { name } of virtual) add(name, ['virtual'], dataset, true)
  }
  return [...found.values()].sort((one, other) => compareNames(one.name, other.name))
}
