/** The names of the makers of annotations. Pure. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { Makers } from '../service/makers.ts'

/** @returns the maker's name, or the id if it has none; `undefined` if the service does not say it */
export function makerOf({ createdBy }: Annotation, makers: Makers): string | undefined {
  return createdBy === undefined ? undefined : (makers.get(createdBy) ?? createdBy)
}

/** As webhooks and people write it: "commit `3f2a91c`, by `dana`", "Deployed by deploy bot". */
const BY = /(?:^|, |\b(?:deployed|released|shipped|started|triggered|rolled back) )by `?([^`,.\n]{1,60})`?\.?$/im

/** @returns who made what it is of, if its description says so, and otherwise its maker */
export function whoMade(annotation: Annotation, makers: Makers): string | undefined {
  return BY.exec(annotation.description ?? '')?.[1] ?? makerOf(annotation, makers)
}
