/**
 * What people should know of an annotation that is stored: where the page shows it, and which of its datasets there are not.
 */
import { didYouMean } from '@deployment-annotations/apl/nearest'
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'

const MS_PER_HOUR = 3_600_000
/** A header must stay small. */
const NAMED_MAX = 5

/** @returns the address of the page with the annotation in the middle, relative to the folder of all pages */
export function pageOf({ id, datasets, time, endTime = time }: Annotation): string {
  const at = (text: string, shiftMs: number) =>
    new Date(Number((parseTimestamp(text) ?? 0n) / 1_000_000n) + shiftMs).toISOString()
  const view = {
    datasets: datasets.join(','),
    startTime: at(time, -MS_PER_HOUR),
    endTime: at(endTime, MS_PER_HOUR),
    annotations: id,
  }
  return `?${new URLSearchParams(view).toString().replaceAll('%2C', ',').replaceAll('%3A', ':')}`
}

/** The datasets that there are. */
export interface Catalogue {
  find(name: string): unknown
  list(): readonly { name: string }[]
}

/** @returns a clause for each dataset that does not exist, in ASCII, as names are; empty where all do */
export function noticeOf({ datasets }: Annotation, catalogue: Catalogue): string {
  const missing = datasets.filter((name) => !catalogue.find(name))
  if (missing.length === 0) return ''
  const existing = catalogue.list().map(({ name }) => name)
  const clauses = missing.slice(0, NAMED_MAX).map((name) => {
    const hint = didYouMean(name, existing)
    return `there is no dataset "${name}"${hint === undefined ? ' yet' : `: ${hint}`}`
  })
  const more = missing.length - clauses.length
  return [...clauses, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}
