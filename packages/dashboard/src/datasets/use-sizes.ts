/** Loads the sizes of the datasets that are shown. */
import type { Dataset, DatasetInfo } from '@deployment-annotations/contract/dataset'
import { useEffect, useState } from 'preact/hooks'
import { datasetRequests } from '../service/datasets.ts'
import { describeError } from '../service/request.ts'

export interface Sized extends Dataset {
  /** What is in it, or why that is not known; absent until it is loaded. */
  size?: { info?: DatasetInfo; error?: string } | undefined
}

/**
 * Loads one size after the other: each is a query, and many at once would delay those of others. A known size stays until there is a
 * newer one.
 * @param all the list that has them; the sizes are loaded again when it changes, because a dataset may have been deleted
 */
export function useSizes(rows: readonly Dataset[], all: readonly Dataset[]): Sized[] {
  const [sizes, setSizes] = useState<ReadonlyMap<string, Sized['size']>>(new Map())
  useEffect(() => {
    const gone = new AbortController()
    const load = async () => {
      for (const { name } of rows) {
        const info = datasetRequests.info(name, gone.signal)
        const size = await info.then(
          (known) => ({ info: known }),
          (error: unknown) => ({ error: describeError(error) }),
        )
        if (gone.signal.aborted) return
        setSizes((before) => new Map(before).set(name, size))
      }
    }
    void load()
    return () => gone.abort()
  }, [rows.map(({ name }) => name).join(), all])
  return rows.map((one) => ({ ...one, size: sizes.get(one.name) }))
}
