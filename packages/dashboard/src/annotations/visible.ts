/** Which annotations a chart shows, by the toggles per dataset and per type. Pure. */
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'

export interface Hidden {
  hiddenDatasets: readonly string[]
  hiddenTypes: readonly string[]
}

/**
 * @param datasets those that the chart is of
 * @returns the annotations of one of these datasets that is not hidden, of a type that is not hidden
 */
export function visibleOn(
  datasets: readonly string[],
  annotations: readonly Annotation[],
  { hiddenDatasets, hiddenTypes }: Hidden,
): Annotation[] {
  const shown = new Set(datasets.filter((name) => !hiddenDatasets.includes(name)))
  const types = new Set(hiddenTypes)
  return annotations.filter(({ datasets: of, type }) => !types.has(type) && of.some((name) => shown.has(name)))
}

/** @returns how many annotations each dataset or type has, in alphabetical order */
export function countBy(
  annotations: readonly Annotation[],
  keysOf: (annotation: Annotation) => readonly string[],
): [string, number][] {
  const counts = new Map<string, number>()
  for (const annotation of annotations) for (const key of keysOf(annotation)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
}
