/** Which datasets there are, by their events and by the annotations on them, and which are charted where a view names none. Pure. */
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'

/** So many datasets are charted where the view names none. */
const DATASETS_SHOWN = 3

/** @returns those with events first, then those that only annotations name: their marks must be found somewhere */
export function listNames(stored: readonly string[], annotations: readonly Annotation[]): string[] {
  const marked = [...new Set(annotations.flatMap(({ datasets }) => datasets))].sort()
  return [...new Set([...stored, ...marked])]
}

/**
 * @param picks those that were picked before; they stay first
 * @returns the first few, those with annotations before those without
 */
export function pickFirst(names: readonly string[], annotations: readonly Annotation[], picks: readonly string[]): string[] {
  const marked = new Set(annotations.flatMap(({ datasets }) => datasets))
  const ordered = [...names.filter((name) => marked.has(name)), ...names.filter((name) => !marked.has(name))]
  return [...new Set([...picks, ...ordered])].slice(0, DATASETS_SHOWN)
}
