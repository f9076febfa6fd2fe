/** Loads the names that completion offers when the query needs them, and the fields of each dataset once. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useLoad } from '../parts/use-load.ts'
import { type Field, listFields } from '../service/datasets.ts'
import { readLanguage } from '../service/language.ts'
import { isAborted } from '../service/request.ts'
import { type Names, readDatasets } from './completion.ts'

/** Names are loaded when typing pauses, because half of a dataset's name may be the name of another one. */
const PAUSE_MS = 150

/** @returns the names for a query, and the error if some could not be loaded */
export function useNames(text: string, datasets: readonly string[]): { names: Names; error: unknown } {
  const language = useLoad(readLanguage, [])
  const [fieldsOf, setFieldsOf] = useState<ReadonlyMap<string, readonly Field[]>>(new Map())
  const [named, setNamed] = useState<readonly string[]>([])
  const [error, setError] = useState<unknown>()
  const first = useRef(text)
  const asked = useRef(new Set<string>())
  const gone = useRef(new AbortController())

  useEffect(() => () => gone.current.abort(), [])
  useEffect(() => {
    const timer = setTimeout(
      () => {
        const written = readDatasets(text)
        setNamed((before) => (before.join() === written.join() ? before : written))
        for (const name of written.filter((one) => datasets.includes(one) && !asked.current.has(one))) {
          asked.current.add(name)
          listFields(name, gone.current.signal).then(
            (fields) => setFieldsOf((before) => new Map([...before, [name, fields]])),
            (failure: unknown) => {
              if (!isAborted(failure)) setError(failure)
            },
          )
        }
      },
      text === first.current ? 0 : PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [text, datasets.join()])

  const names = useMemo(() => {
    const { operators = [], functions = [], sources = [] } = language.data ?? {}
    const fieldsIn = (name: string) => fieldsOf.get(name) ?? sources.find((source) => source.name === name)?.fields ?? []
    return { datasets, operators, functions, sources, fields: mergeFields(named.map(fieldsIn)) }
  }, [datasets.join(), language.data, fieldsOf, named])
  return { names, error: error ?? language.error }
}

/** A field of several datasets is one name. */
function mergeFields(lists: readonly (readonly Field[])[]): Field[] {
  return [...new Map(lists.flat().map((field) => [field.name, field])).values()]
}
