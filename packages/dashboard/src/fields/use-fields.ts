/** The fields of several datasets as one list. */
import { useMemo } from 'preact/hooks'
import { useLoad } from '../parts/use-load.ts'
import { type Field, listFields, listVirtualFields } from '../service/datasets.ts'
import { may } from '../service/session.ts'

export interface ListedField {
  name: string
  /** As people read it: `integer or string`. */
  types: string
  /** Those that have it. */
  datasets: string[]
  /** Queries compute it: no event has it. */
  isVirtual: boolean
}

interface DatasetFields {
  dataset: string
  fields: readonly Field[]
  virtual: readonly { name: string }[]
}

/** Every event has them, and hardly two have the same. */
const TIMES = new Set(['_time', '_sysTime'])

/** @param version another number asks again */
export function useFields(datasets: readonly string[], version: number) {
  const names = datasets.join()
  const mayReadVirtual = may('virtualFields|read')
  const load = (signal: AbortSignal) => Promise.all(datasets.map((dataset) => loadFields(dataset, mayReadVirtual, signal)))
  const { data, error, isLoading } = useLoad(load, [names, version, mayReadVirtual], names)
  const fields = useMemo(() => mergeFields(data ?? []), [data])
  return { fields, error, isLoading }
}

async function loadFields(dataset: string, mayReadVirtual: boolean, signal: AbortSignal): Promise<DatasetFields> {
  const virtual = mayReadVirtual ? listVirtualFields(dataset, signal) : []
  return { dataset, fields: await listFields(dataset, signal), virtual: await virtual }
}

function mergeFields(lists: readonly DatasetFields[]): ListedField[] {
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
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}
