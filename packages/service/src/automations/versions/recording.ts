/**
 * What becomes of versions that have arrived, each in one transaction with what is known of them: no annotation is ever made without
 * that, or made twice. People have the last word: what they deleted stays deleted, and a time that they set is kept.
 */
import { SEEN_RELEASE_TYPE } from '@deployment-annotations/contract/annotation'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { findAnnotation, type StoredAnnotation } from '@deployment-annotations/records/annotation-records'
import type { RecordsDatabase } from '@deployment-annotations/records/records'
import {
  addSeenVersion,
  changeSeenVersion,
  listMarksOf,
  lockSeenVersions,
  type SeenVersion,
} from '@deployment-annotations/records/seen-version-records'
import { addAnnotation, changeAnnotation, removeAnnotation } from '../../annotations/rules.ts'
import { newId } from '../../ids.ts'
import { placeOf, type ReturnedVersion } from './arrivals.ts'
import type { VersionSpan } from './seen.ts'

/** Where it is written, and when. */
interface Write {
  table: string
  dataset: string
  nowMs: number
}

/** Who made them, where others have the id of a token. */
const MADE_BY = 'versions'
/** The same version of the same service in several datasets is one release, if it comes within so long. */
const SAME_NS = UNIT_NS.h
/** A difference that nobody sees moves no annotation. */
const MOVED_NS = UNIT_NS.s
/** `remember` writes the last event only if it is so much later. */
const LAST_NS = UNIT_NS.d

/** @param isMade whether an annotation is made @returns its id; `undefined` without one */
export async function markFresh(
  db: RecordsDatabase,
  write: Write,
  { seen, before, isMade }: { seen: VersionSpan; before: string | undefined; isMade: boolean },
): Promise<string | undefined> {
  await lockSeenVersions(db)
  const annotation = isMade ? await findShared(db, seen, seen.firstNs) : undefined
  const made = isMade && !annotation ? buildMark(write, seen, describeFirst(seen, before)) : undefined
  const id = annotation?.id ?? made?.id
  const { firstNs, lastNs, service, environment, version } = seen
  const known = { service, environment, version, firstNs, lastNs, sinceNs: firstNs, ...(id !== undefined && { annotation: id }) }
  if (!(await addSeenVersion(db, write.table, known))) return undefined
  if (annotation) await share(db, annotation, write.dataset, firstNs)
  if (made) await addAnnotation(db, made)
  return id
}

/** As {@link markFresh}, of a version that is back in the place of another; if that one is newer, it is a rollback. */
export async function markBack(
  db: RecordsDatabase,
  write: Write,
  { seen, known, sinceNs, instead, isOlder, isMade }: ReturnedVersion & { isMade: boolean },
): Promise<string | undefined> {
  await lockSeenVersions(db)
  const annotation = isMade ? await findShared(db, seen, sinceNs) : undefined
  const text = `Seen again in events, in the place of ${instead.version}.`
  const made =
    isMade && !annotation ? buildMark(write, { ...seen, firstNs: sinceNs }, text, isOlder ? ' (rollback)' : '') : undefined
  const id = annotation?.id ?? made?.id
  const { annotation: _, ...others } = known
  const after = { ...others, sinceNs, lastNs: seen.lastNs, ...(id !== undefined && { annotation: id }) }
  if (!(await changeSeenVersion(db, write.table, known, after))) return undefined
  if (annotation) await share(db, annotation, write.dataset, sinceNs)
  if (made) await addAnnotation(db, made)
  return id
}

/** An earlier event of a version has come late: its annotation moves there, unless somebody has moved it. */
export async function moveEarlier(
  db: RecordsDatabase,
  { table }: Write,
  { before, firstNs }: { before: SeenVersion; firstNs: bigint },
): Promise<void> {
  await lockSeenVersions(db)
  const wasBack = before.sinceNs !== before.firstNs
  const changed = await changeSeenVersion(db, table, before, { ...before, firstNs, ...(!wasBack && { sinceNs: firstNs }) })
  if (!changed || wasBack || before.annotation === undefined) return
  const annotation = await findAnnotation(db, before.annotation)
  if (annotation?.timeNs === before.firstNs && before.firstNs - firstNs >= MOVED_NS)
    await changeAnnotation(db, annotation.id, { timeNs: firstNs })
}

/** Somebody has posted an annotation for a version: the one that was made of it goes, from this dataset at least. */
export async function withdraw(db: RecordsDatabase, { table, dataset }: Write, before: SeenVersion): Promise<void> {
  await lockSeenVersions(db)
  const { annotation: id, ...after } = before
  if (id === undefined || !(await changeSeenVersion(db, table, before, after))) return
  const annotation = await findAnnotation(db, id)
  if (!annotation) return
  const datasets = annotation.datasets.filter((name) => name !== dataset)
  if (datasets.length > 0) await changeAnnotation(db, id, { datasets })
  else await removeAnnotation(db, id)
}

/** Keeps when there were events of known versions; a day's difference says enough. */
export async function remember(
  db: RecordsDatabase,
  table: string,
  known: readonly SeenVersion[],
  seen: readonly VersionSpan[],
): Promise<void> {
  for (const one of known) {
    const now = seen.find(({ version, ...of }) => version === one.version && placeOf(of) === placeOf(one))
    if (now && now.lastNs > one.lastNs + LAST_NS) await changeSeenVersion(db, table, one, { ...one, lastNs: now.lastNs })
  }
}

/** @returns the annotation that was made of the same arrival in another dataset; what says no service is only of its dataset */
async function findShared(
  db: RecordsDatabase,
  { service, environment, version }: VersionSpan,
  arrivedNs: bigint,
): Promise<StoredAnnotation | undefined> {
  if (service === '') return undefined
  const near = (ns: bigint) => ns - arrivedNs < SAME_NS && arrivedNs - ns < SAME_NS
  const marks = await listMarksOf(db, { service, environment, version })
  const mark = marks.find(({ sinceNs }) => near(sinceNs))
  return mark && (await findAnnotation(db, mark.annotation))
}

async function share(
  db: RecordsDatabase,
  { id, datasets, timeNs }: StoredAnnotation,
  dataset: string,
  firstNs: bigint,
): Promise<void> {
  const all = datasets.includes(dataset) ? datasets : [...datasets, dataset]
  await changeAnnotation(db, id, { datasets: all, ...(firstNs < timeNs && { timeNs: firstNs }) })
}

function buildMark({ dataset, nowMs }: Write, seen: VersionSpan, description: string, note = ''): StoredAnnotation {
  const { service, environment, version, firstNs } = seen
  return {
    id: newId('annotation', nowMs),
    createdAtMs: nowMs,
    createdBy: MADE_BY,
    datasets: [dataset],
    timeNs: firstNs,
    type: SEEN_RELEASE_TYPE,
    title: `${service === '' ? dataset : service} ${version}${note}`,
    description,
    version,
    ...(service !== '' && { service }),
    ...(environment !== '' && { environment }),
  }
}

function describeFirst({ version }: VersionSpan, before: string | undefined): string {
  return `Version ${version} was seen in events for the first time${before === undefined ? '.' : `, after ${before}.`}`
}
