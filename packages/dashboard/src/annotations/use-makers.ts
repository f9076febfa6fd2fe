/** Loads the names of makers of annotations. */
import { useLoad } from '../parts/use-load.ts'
import { listMakers, type Makers } from '../service/makers.ts'
import { user } from '../service/session.ts'

const NOBODY: Makers = new Map()

/**
 * @param version a new number reloads them
 * @returns the makers, absent until they are loaded; empty if they cannot be loaded, so that ids are shown instead
 */
export function useMakers(version: number) {
  // Which of them may be listed is known with the user.
  const { data, error } = useLoad(user.value && listMakers, [version, user.value])
  return { makers: data ?? (error === undefined ? undefined : NOBODY), error }
}
