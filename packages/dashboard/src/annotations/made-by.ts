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
  const ids = [...new Set(annotations.flatMap(({ createdBy }) => createdBy ?? []))]
  const named = Map.groupBy(ids, (id) => makers.get(id) ?? id)
  return new Map([...named].sort(([a], [b]) => (a < b ? -1 : 1)))
}
