/**
 * How many there may be of what people make: more than most teams need, and fewer than a program makes by mistake. All services that share
 * their records should have the same; the one that is asked counts.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { lockAndCount } from '@deployment-annotations/records/database/record-table'
import type { RecordsDatabase } from '@deployment-annotations/records/database/records'
import { invalid } from '@deployment-annotations/runtime/errors'

export const CEILINGS = { monitors: 1_000, notifiers: 100, saved_views: 1_000 }
export type Ceilings = typeof CEILINGS

/** @returns the name of what there may be, in a flag or a sentence */
export const nameOf = (what: string, space: '-' | ' ') => what.replace('_', space)

/** Part of a transaction, and keeps other creates waiting until it ends. @throws ServiceError `invalid` */
export async function requirePlace(db: RecordsDatabase, what: keyof Ceilings, { [what]: max }: Ceilings): Promise<void> {
  if ((await lockAndCount(db, what)) < max) return
  const remedy = `delete one, or start the service with a higher --${nameOf(what, '-')}-max`
  throw invalid(VALIDATION_CODES.itemsMax, `there can be at most ${max} ${nameOf(what, ' ')}; ${remedy}`)
}
