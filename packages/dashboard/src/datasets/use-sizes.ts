/** Loads the sizes of the datasets that are shown. */
import type { DatasetInfo } from '@deployment-annotations/contract/dataset'
import { useEffect, useState } from 'preact/hooks'
import { datasetRequests } from '../service/datasets.ts'
import { describeError, isAborted } from '../service/request.ts'

/** The size of a dataset, or why it is not known. */
export interface Size {
  info?: DatasetInfo
  error?: string
}

export interface Sized {
  /** Absent until it is loaded. */
  size?: Size
}

/**
 * Loads one size after the other: each is a query, and many at once would delay those of others. A known size stays until there is a
 * newer one.
 * @param all the list that has them; the sizes are loaded again when it changes, because a dataset may have been deleted
 */
export function useSizes<One extends { name: string }>(rows: readonly One[], all: readonly unknown[]): (One & Sized)[] {
  const [sizes, setSizes] = useState<ReadonlyMap<string, Size>>(new Map())
  useEffect(() => {
    const gone = new AbortController()
    const keep = (name: string, size: Size) => {
      if (!gone.signal.aborted) setSizes((before) => new Map(before).set(name, size))
    }
    const readAll = async () => {
      for (const { name } of rows) {
        if (gone.signal.aborted) return
        try {
          keep(name, { info: await datasetRequests.info(name, gone.signal) })
        } catch (error) {
          if (!isAborted(error)) keep(name, { error: describeError(error) })
        }
      }
    }
    void readAll()
    return () => gone.abort()
  }, [rows.map(({ name }) => name).join(), all])
  return rows.map((one) => ({ ...one, ...(sizes.has(one.name) && { size: sizes.get(one.name) as Size }) }))
}
