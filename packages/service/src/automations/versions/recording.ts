/**
 * What is recorded of versions, each time in one transaction with the annotation, so that none is made without its record, or twice.
 * People have the last word: an annotation that they deleted stays deleted.
 */
import { DETECTED_RELEASE_TYPE } from '@deployment-annotations/contract/annotation'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import type { Dataset } from '@deployment-annotations/event-store/datasets/dataset'
import { findAnnotation } from '@deployment-annotations/records/annotations/annotation-records'
import type { RecordsDatabase } from '@deployment-annotations/records/database/records'
import { raiseVersion } from '@deployment-annotations/records/database/versions'
import {
  addSeenVersion,
  changeSeenVersion,
  findDetected,
  type RecordedVersion,
  type SeenVersion,
} from '@deployment-annotations/records/datasets/seen-version-records'
import { addAnnotation, changeAnnotation, removeAnnotation } from '../../annotations/rules.ts'
import { newId } from '../../wire/ids.ts'

type DatasetTable = Pick<Dataset, 'table' | 'name'>

/** Who made them; other annotations have the id of a token here. */
const MADE_BY = 'versions'
/** The same version of the same service in several datasets is one release, if it comes within so long. */
const SAME_NS = UNIT_NS.h

/** @param previous the version before it; without one it is recorded, and no release. @returns the id of its annotation */
export async function recordVersion(
  db: RecordsDatabase,
  { table, name }: DatasetTable,
  seen: SeenVersion,
  { previous, nowMs }: { previous: string | undefined; nowMs: number },
): Promise<string | undefined> {
  // Others who add or change versions wait until the transaction ends, so that each is one release.
  await raiseVersion(db, 'seen_versions')
  if (previous === undefined) return void (await addSeenVersion(db, table, seen))
  // Events that name no service are only of their own dataset.
  const shared = seen.service === '' ? undefined : await findDetected(db, seen, SAME_NS)
  const annotation = shared ?? newId('annotation', nowMs)
  if (!(await addSeenVersion(db, table, { ...seen, annotation }))) return undefined
  const { service, environment, version, firstNs: timeNs } = seen
  const before = await findAnnotation(db, annotation)
  if (before) {
    const datasets = [...new Set([...before.datasets, name])]
    await changeAnnotation(db, annotation, { datasets, ...(timeNs < before.timeNs && { timeNs }) })
  } else if (shared === undefined) {
    await addAnnotation(db, {
      id: annotation,
      createdAtMs: nowMs,
      createdBy: MADE_BY,
      datasets: [name],
      timeNs,
      type: DETECTED_RELEASE_TYPE,
      title: `${service === '' ? name : service} ${version}`,
      description: `Version ${version} was seen in events for the first time, after ${previous}.`,
      version,
      ...(service !== '' && { service }),
      ...(environment !== '' && { environment }),
    })
  }
  return annotation
}

/** A release was posted for the version: the detected one is taken from this dataset, and is gone with its last one. */
export async function withdraw(db: RecordsDatabase, { table, name }: DatasetTable, seen: RecordedVersion): Promise<void> {
  await raiseVersion(db, 'seen_versions')
  await changeSeenVersion(db, table, seen, { annotation: undefined })
  const annotation = await findAnnotation(db, seen.annotation ?? '')
  const datasets = annotation?.datasets.filter((each) => each !== name) ?? []
  if (datasets.length > 0) await changeAnnotation(db, seen.annotation ?? '', { datasets })
  else if (annotation) await removeAnnotation(db, annotation.id)
}
