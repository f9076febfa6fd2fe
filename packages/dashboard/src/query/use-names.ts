/** Loads the names that completion offers, and the fields of the datasets that the query names. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { useLoad } from '../parts/use-load.ts'
import { listQueryable } from '../service/datasets.ts'
import { readLanguage } from '../service/language.ts'
import { type Names, readDatasets } from './completion.ts'

/** Fields are loaded when typing pauses, because half of a dataset's name may be the name of another one. */
const PAUSE_MS = 150

/** @returns the names for a query, and the error if some could not be loaded */
export function useNames(text: string, datasets: readonly string[]): { names: Names; error: unknown } {
  const language = useLoad(readLanguage, [])
  const [named, setNamed] = useState(() => readDatasets(text))
  useEffect(() => {
    const timer = setTimeout(() => setNamed(readDatasets(text)), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const stored = named.filter((name) => datasets.includes(name))
  const fields = useLoad((signal) => Promise.all(stored.map((name) => listQueryable(name, signal))), [stored.join()])

  const names = useMemo(() => {
    const { operators = [], functions = [], sources = [] } = language.data ?? {}
    const lists = [...sources.filter(({ name }) => named.includes(name)).map((source) => source.fields), ...(fields.data ?? [])]
    // A field of several datasets is one name.
    const merged = new Map(lists.flat().map((field) => [field.name, field]))
    return { datasets, operators, functions, sources, fields: [...merged.values()] }
  }, [datasets.join(), named.join(), language.data, fields.data])
  return { names, error: fields.error ?? language.error }
}
