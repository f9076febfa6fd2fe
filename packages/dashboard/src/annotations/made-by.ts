/**
 * Who made an annotation, by name where the token may see the names.
 */

import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
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

/** @returns the name of who made it, or else the id; `undefined` where the service does not say it */
export function makerOf({ createdBy }: Annotation, makers: Makers): string | undefined {
  return createdBy === undefined ? undefined : (makers.get(createdBy) ?? createdBy)
}

/**
 * A token that was made anew has another id and the same name: to people they are one.
 * @returns the ids of each who made some of the annotations, by name, in alphabetical order
 */
export function idsByMaker(annotations: readonly Annotation[], makers: Makers): Map<string, string[]> {
  const ids = new Map<string, Set<string>>()
  for (const annotation of annotations) {
    const name = makerOf(annotation, makers)
    if (name === undefined || annotation.createdBy === undefined) continue
    const known = ids.get(name)
    if (known) known.add(annotation.createdBy)
    else ids.set(name, new Set([annotation.createdBy]))
  }
  const sorted = [...ids].sort(([a], [b]) => (a < b ? -1 : 1))
  return new Map(sorted.map(([name, all]) => [name, [...all]]))
}
