/**
 * Annotations as records: the conversion of rows, and the statements. Each function takes the database to use, so that it can be part
 * of a transaction. Deliberately not here: wire text (times are nanoseconds), and rules such as "endTime is not before time".
 */
import { DELETED_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import type { Verdict } from '@deployment-annotations/contract/verdict'
import { recordTable } from '../database/record-table.ts'
import type { RecordsDatabase } from '../database/records.ts'
import {
  ANNOTATION_CODEC,
  type AnnotationContent,
  CONTENT_CODEC,
  type GivenTags,
  type MemberRow,
  type StoredAnnotation,
} from '../schema/annotations.ts'

export type { AnnotationContent, StoredAnnotation } from '../schema/annotations.ts'

/** The members that a change sets. An empty text unsets a member; the end of a span cannot be unset. */
export type StoredChange = Partial<AnnotationContent>

/** Recognizes a repeated create. It is in the row of the annotation, so that neither is ever stored without the other. */
export interface RepeatMark {
  /** A hash over the caller and the key that it sent. */
  key: string
  /** A hash over the content that was to be created, or what several jobs have said of an annotation that they share. */
  payload: string
}

/** Selects annotations whose span `[timeNs, endTimeNs ?? timeNs]`, without an end for one that is open, touches `[startNs, endNs]` and that have one of the datasets. */
export interface StoredFilter {
  startNs?: bigint
  endNs?: bigint
  /** All datasets if absent. */
  datasets?: readonly string[]
  /** '' is for those without one. */
  verdicts?: readonly (Verdict | '')[]
  /** What is read from texts counts too, so whoever reads those applies this; {@link listAnnotations} does not. */
  tags?: TagFilter
}

/** One of the services, environments and versions, and all of the tags. */
export interface TagFilter {
  service?: readonly string[]
  environment?: readonly string[]
  version?: readonly string[]
  tag?: readonly string[]
}

/** The place of an annotation in a list. */
export interface ListPosition {
  timeNs: bigint
  id: string
}

/** The columns of a page. A page has a thousand rows, so that each column costs noticeable time. */
export const MEMBERS = [...ANNOTATION_CODEC.columns, 'tags'] as const

export const { find: findAnnotation, remove: deleteAnnotation } = recordTable('annotations', { fromRow, toRow })

/** @returns whether it was stored, which is not the case if its id or its repeat key is taken */
export async function insertAnnotation(db: RecordsDatabase, annotation: StoredAnnotation, repeat?: RepeatMark): Promise<boolean> {
  const stored = await db
    .insertInto('annotations')
    .values(toRow(annotation, repeat))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (stored) await insertDatasets(db, annotation)
  return stored !== undefined
}

/** @returns the annotations whose ids begin so */
export async function findByPrefix(db: RecordsDatabase, prefix: string): Promise<StoredAnnotation[]> {
  const query = db.selectFrom('annotations').select(MEMBERS)
  // No character of an id is after the last letter of the alphabet.
  const rows = await query.where('id', '>=', prefix).where('id', '<', `${prefix}~`).execute()
  return rows.map(fromRow)
}

/** @returns the annotations of the dataset whose ids sort after this, as those of later creates do */
export async function listCreatedSince(db: RecordsDatabase, id: string, dataset: string): Promise<StoredAnnotation[]> {
  const ids = db.selectFrom('annotation_datasets').select('annotation_id').where('dataset', '=', dataset)
  const later = ids.where('annotation_id', '>=', id)
  const rows = await db.selectFrom('annotations').select(MEMBERS).where('id', 'in', later).execute()
  return rows.map(fromRow)
}

/** Reads as {@link findAnnotation} does, and keeps others from changing the annotation until the transaction ends. */
export async function lockAnnotation(db: RecordsDatabase, id: string): Promise<StoredAnnotation | undefined> {
  return (await lockWithPayload(db, id))?.annotation
}

/** Locks as {@link lockAnnotation} does. @returns what belongs to its key besides; '' where there is nothing */
export async function lockWithPayload(db: RecordsDatabase, id: string) {
  const row = await lockRow(db, id)
  return row && { annotation: fromRow(row), payload: row.repeat_payload ?? '' }
}

export const lockRow = (db: RecordsDatabase, id: string) =>
  db.selectFrom('annotations').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Writes all members of an existing annotation. @param payload what belongs to its key; by default it stays as it is */
export async function updateAnnotation(
  db: RecordsDatabase,
  before: StoredAnnotation,
  after: StoredAnnotation,
  payload?: string,
): Promise<void> {
  const isOther = JSON.stringify(judgedPart(before)) !== JSON.stringify(judgedPart(after))
  const members = {
    ...toMembers(after),
    ...(payload !== undefined && { repeat_payload: payload }),
    // The verdict is about another time, or about other datasets, or the annotation goes on.
    ...(isOther && { verdict: null, verdict_details: null, judge_at_ms: judgeAtMs(after) }),
  }
  await db.updateTable('annotations').set(members).where('id', '=', after.id).execute()
  if (JSON.stringify(before.datasets) === JSON.stringify(after.datasets)) return
  await db.deleteFrom('annotation_datasets').where('annotation_id', '=', after.id).execute()
  await insertDatasets(db, after)
}

/** Finds the annotation that was created with this key, and the hash of the content of that create. */
export async function findRepeated(db: RecordsDatabase, key: string) {
  const row = await db.selectFrom('annotations').selectAll().where('repeat_key', '=', key).executeTakeFirst()
  return row && { annotation: fromRow(row), payload: row.repeat_payload ?? '' }
}

/** Frees the key, so that it can be used again. */
export async function forgetRepeat(db: RecordsDatabase, key: string): Promise<void> {
  await db.updateTable('annotations').set({ repeat_key: null }).where('repeat_key', '=', key).execute()
}

/** @returns those of the datasets that are on no other annotation than this one */
export async function listUnmarked(db: RecordsDatabase, names: readonly string[], id: string): Promise<string[]> {
  const unmarked: string[] = []
  for (const name of names) {
    const others = db.selectFrom('annotation_datasets').where('dataset', '=', name).where('annotation_id', '!=', id)
    if ((await others.select('dataset').limit(1).executeTakeFirst()) === undefined) unmarked.push(name)
  }
  return unmarked
}

async function insertDatasets(db: RecordsDatabase, { id, datasets }: StoredAnnotation): Promise<void> {
  const names = [...new Set(datasets)].filter((name) => !DELETED_NAME_PATTERN.test(name))
  const rows = names.map((dataset) => ({ dataset, annotation_id: id }))
  if (rows.length > 0) await db.insertInto('annotation_datasets').values(rows).execute()
}

function toMembers(annotation: AnnotationContent) {
  const { timeNs, endTimeNs } = annotation
  return {
    ...CONTENT_CODEC.toRow(annotation),
    // A span that has an end does not go on, whatever was said of it.
    ...(endTimeNs !== undefined && { is_open: 0n }),
    until_ns: endTimeNs ?? timeNs,
    tags: writeTags(annotation),
  }
}

/** @returns the tags that were given as JSON, null where none were */
function writeTags({ service, environment, version, tags }: AnnotationContent): string | null {
  const text = JSON.stringify({ service, environment, version, tags })
  return text === '{}' ? null : text
}

/** @returns what is judged of an annotation: while it stays the same, a verdict holds */
export function judgedPart({ datasets, timeNs, endTimeNs, type, open = false }: AnnotationContent): unknown[] {
  return [datasets, String(timeNs), String(endTimeNs), type, open]
}

const NS_PER_MS = 1_000_000n

/** Whoever judges decides whether it is judged at all, and when: it is due once it is over. */
function judgeAtMs({ timeNs, endTimeNs = timeNs }: AnnotationContent): bigint {
  return endTimeNs / NS_PER_MS
}

function toRow(annotation: StoredAnnotation, repeat?: RepeatMark) {
  return {
    ...ANNOTATION_CODEC.toRow(annotation),
    ...toMembers(annotation),
    repeat_key: repeat?.key ?? null,
    repeat_payload: repeat?.payload ?? null,
    judge_at_ms: judgeAtMs(annotation),
  }
}

export function fromRow(row: MemberRow): StoredAnnotation {
  const annotation = ANNOTATION_CODEC.fromRow(row)
  return row.tags === null ? annotation : Object.assign(annotation, JSON.parse(row.tags) as GivenTags)
}
