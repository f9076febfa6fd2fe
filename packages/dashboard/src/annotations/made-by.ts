/** The names of the makers of annotations. Pure. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { Makers } from '../service/makers.ts'

/** @returns the maker's name, or the id if it has none; `undefined` if the service does not say it */
export function makerOf({ createdBy }: Annotation, makers: Makers): string | undefined {
  return createdBy === undefined ? undefined : (makers.get(createdBy) ?? createdBy)
}

/**
 * A token that was regenerated has another id and the same name: to people both are one.
 * @returns the ids of the makers of the annotations, by name, in alphabetical order
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
