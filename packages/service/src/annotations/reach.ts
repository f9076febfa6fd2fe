/**
 * Which annotations a token reaches, where it is limited to datasets. An annotation of several datasets is read by whoever reaches
 * one of them, as it is on that one's chart; to make, change or delete it takes all of them, because the mark goes from every chart.
 */
import type { Permission } from '@deployment-annotations/contract/token'
import type { StoredAnnotation, StoredFilter } from '@deployment-annotations/records/annotation-records'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { ServiceError } from '@deployment-annotations/runtime/errors'

/** @returns the annotation; @throws ServiceError `not_found`, as if it were not there, where the caller reaches none of its datasets */
export function requireReachable(annotation: StoredAnnotation, { limit }: Caller): StoredAnnotation {
  if (!limit || annotation.datasets.some((name) => limit.includes(name))) return annotation
  throw absent(annotation.id)
}

/** @throws ServiceError `forbidden` naming the first of the datasets that the caller may not mark */
export function requireAll(datasets: readonly string[], permission: Permission, caller: Caller): void {
  for (const name of datasets) caller.require(permission, '', name)
}

/** @throws ServiceError as both of the above, for an annotation that is there */
export function requireChangeable(annotation: StoredAnnotation, permission: Permission, caller: Caller): void {
  requireAll(requireReachable(annotation, caller).datasets, permission, caller)
}

/** @returns the filter, of the caller's datasets; @throws ServiceError `forbidden` where it asks for others */
export function withinReach(filter: StoredFilter, caller: Caller): StoredFilter {
  if (!caller.limit) return filter
  requireAll(filter.datasets ?? [], 'annotations|read', caller)
  return { ...filter, datasets: filter.datasets ?? caller.limit }
}

export function absent(id: string): ServiceError {
  return new ServiceError('not_found', `annotation ${id} not found`)
}
