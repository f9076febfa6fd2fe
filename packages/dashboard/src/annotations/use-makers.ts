/** Loads the names of makers of annotations, by code that the first page does not need. */
import { useLoad } from '../parts/use-load.ts'
import type { Makers } from '../service/makers.ts'
import { user } from '../service/session.ts'

const NOBODY: Makers = new Map()

async function load(signal: AbortSignal): Promise<Makers> {
  const { listMakers } = await import('../service/makers.ts')
  return listMakers(signal)
}

/** @returns the makers, absent until they are loaded; empty if they cannot be loaded, so that ids are shown instead */
export function useMakers() {
  // Which of them may be listed is known with the user.
  const { data, error } = useLoad(user.value && load, [user.value])
  return { makers: data ?? (error === undefined ? undefined : NOBODY), error }
}
