/** Who made annotations, loaded with a component. */
import { useLoad } from '../parts/use-load.ts'
import { listMakers, type Makers } from '../service/makers.ts'

const NOBODY: Makers = new Map()

interface LoadedMakers {
  /** Absent until they are loaded; of nobody where they could not be, so that ids stand for names. */
  makers: Makers | undefined
  error: unknown
}

/** @param version another number loads them again */
export function useMakers(version: number): LoadedMakers {
  const { data, error } = useLoad(listMakers, [version])
  return { makers: data ?? (error === undefined ? undefined : NOBODY), error }
}
