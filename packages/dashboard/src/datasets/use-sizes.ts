/** How much is in each of the datasets that are shown. */
import type { DatasetInfo } from '@deployment-annotations/contract/schemas/dataset'
import { useEffect, useState } from 'preact/hooks'
import { readInfo } from '../service/datasets.ts'
import { describeError, isAborted } from '../service/request.ts'

/** What is known of one: how much is in it, or why that is not known. */
export interface Size {
  info?: DatasetInfo
  error?: string
}

/**
 * Asks for one after the other: each is a query, and many at once would take the places of others. Those that are known stay until
 * there is something newer.
 * @param list what the names are of: they are asked about again when another one has come, and not before, as one may be gone
 */
export function useSizes(names: readonly string[], list: readonly unknown[]): ReadonlyMap<string, Size> {
  const [sizes, setSizes] = useState<ReadonlyMap<string, Size>>(new Map())
  useEffect(() => {
    const gone = new AbortController()
    const keep = (name: string, size: Size) => {
      if (!gone.signal.aborted) setSizes((before) => new Map(before).set(name, size))
    }
    const readAll = async () => {
      for (const name of names) {
        if (gone.signal.aborted) return
        try {
          keep(name, { info: await readInfo(name, gone.signal) })
        } catch (error) {
          if (!isAborted(error)) keep(name, { error: describeError(error) })
        }
      }
    }
    void readAll()
    return () => gone.abort()
  }, [names.join(), list])
  return sizes
}
