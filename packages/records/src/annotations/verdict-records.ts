/**
 * Which annotations are to be judged, and their verdicts. Each function takes the database to use.
 * Deliberately not here: which types are judged, when, and how.
 */
import { isWorse, type Verdict } from '@deployment-annotations/contract/verdict'
import type { Due, RecordsDatabase, Share } from '../database/records.ts'
import { fromRow, judgedPart, lockRow, MEMBERS, type StoredAnnotation } from './annotation-records.ts'

/** An annotation that may have to be judged. */
export interface DueAnnotation {
  annotation: StoredAnnotation
  judgeAtMs: number
}

/** @returns those of the share that are due now, the newest first, and when the next one is */
export async function readDue(
  db: RecordsDatabase,
  nowMs: number,
  { isOurs }: Share,
  dueMax: number,
): Promise<Due<DueAnnotation>> {
  const now = BigInt(nowMs)
  const by = db.selectFrom('annotations').where(isOurs)
  const rows = await by
    .orderBy('judge_at_ms', 'desc')
    .select([...MEMBERS, 'judge_at_ms'])
    .where('judge_at_ms', '<=', now)
    .limit(dueMax)
    .execute()
  const next = await by.select('judge_at_ms').where('judge_at_ms', '>', now).orderBy('judge_at_ms').limit(1).executeTakeFirst()
  return {
    due: rows.map((row) => ({ annotation: fromRow(row), judgeAtMs: Number(row.judge_at_ms) })),
    ...(next && { nextMs: Number(next.judge_at_ms) }),
  }
}

/** @returns when the one that is due for longest was to be judged, in milliseconds since the epoch */
export async function findOldestDue(db: RecordsDatabase): Promise<number> {
  const oldest = db.selectFrom('annotations').select(({ fn }) => fn.min('judge_at_ms').as('at'))
  const { at } = await oldest.executeTakeFirstOrThrow()
  return Number(at ?? Number.POSITIVE_INFINITY)
}

/** These are not to be judged. */
export async function dropDue(db: RecordsDatabase, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.updateTable('annotations').set({ judge_at_ms: null }).where('id', 'in', ids).execute()
}

/**
 * Records a verdict, unless the annotation has changed since it was read, or another service has recorded one.
 * @param nextMs when it is judged again; `null`: it is not
 * @returns what notifiers know of it; `undefined` where nothing was recorded
 */
export async function recordVerdict(
  db: RecordsDatabase,
  { annotation, judgeAtMs: readAtMs }: DueAnnotation,
  { nextMs, judged }: { nextMs: number | null; judged?: { verdict: Verdict; verdictDetails: string } | undefined },
): Promise<{ toldWorse: boolean } | undefined> {
  const row = await lockRow(db, annotation.id)
  if (!row || Number(row.judge_at_ms) !== readAtMs) return undefined
  if (JSON.stringify(judgedPart(fromRow(row))) !== JSON.stringify(judgedPart(annotation))) return undefined
  const verdict = judged && { verdict: judged.verdict, verdict_details: judged.verdictDetails }
  await db
    .updateTable('annotations')
    .set({
      ...verdict,
      judge_at_ms: nextMs === null ? null : BigInt(Math.round(nextMs)),
      ...(judged && { told_worse: isWorse(judged.verdict) ? 1n : 0n }),
    })
    .where('id', '=', annotation.id)
    .execute()
  // A program without notifiers may have judged it before.
  return { toldWorse: row.told_worse === 1n || isWorse(fromRow(row).verdict) }
}
