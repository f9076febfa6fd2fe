/**
 * What notifiers are told, written into the outbox by the transaction that makes it: a message is there exactly where what it tells is.
 * Deliberately not here: how a message is delivered (message-outbox.ts), and which words a receiver gets.
 */

import { restOf } from '@deployment-annotations/compare/report'
import type { VerdictDetails } from '@deployment-annotations/contract/annotation'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { readResult } from '@deployment-annotations/contract/release'
import { formatMillis } from '@deployment-annotations/contract/timestamp'
import { isWorse } from '@deployment-annotations/contract/verdict'
import type { NotifierNotice } from '@deployment-annotations/edge/messages/message'
import type { StoredAnnotation } from '@deployment-annotations/records/annotations/annotation-records'
import {
  listNotifiers,
  type NotifierDefinition,
  type NotifierRecord,
} from '@deployment-annotations/records/automations/notifier-records'
import { insertMessages } from '@deployment-annotations/records/automations/outbox-records'
import type { RecordsDatabase } from '@deployment-annotations/records/database/records'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { toWire } from '../wire/annotation.ts'

/** What was imported is no news. */
const NEWS_MS = 2 * 86_400_000

/** Part of the transaction that stores the change of an annotation. @param before absent for a new one */
export async function noticeChange(
  db: RecordsDatabase,
  before: StoredAnnotation | undefined,
  after: StoredAnnotation,
): Promise<void> {
  // Without a description nothing says that it failed.
  if (before === undefined && after.description === undefined) return
  const resultOf = (one: StoredAnnotation) => readResult(toWire(one, () => false))
  const failed = resultOf(after) === 'failed'
  const didFail = before !== undefined && resultOf(before) === 'failed'
  if (failed === didFail || !isNews(after, after.createdAtMs)) return
  const name = nameOf(after)
  await tell(db, {
    event: 'failure',
    action: failed ? 'open' : 'closed',
    time: formatMillis(after.createdAtMs),
    title: failed ? `${name} failed` : `${name} has not failed any more (${resultOf(after) ?? 'nothing is said'})`,
    text: after.description ?? '',
    annotation: toWire(after, undefined),
  })
}

/** Part of the transaction that records a verdict. @param toldWorse whether it was worse the last time */
export async function noticeVerdict(
  db: RecordsDatabase,
  annotation: StoredAnnotation,
  { toldWorse, nowMs }: { toldWorse: boolean; nowMs: number },
): Promise<void> {
  const { verdict, verdictDetails } = annotation
  if (verdict === undefined || verdictDetails === undefined || isWorse(verdict) === toldWorse || !isNews(annotation, nowMs))
    return
  const { headline, text } = JSON.parse(verdictDetails) as VerdictDetails
  const name = nameOf(annotation)
  await tell(db, {
    event: 'verdict',
    action: toldWorse ? 'closed' : 'open',
    time: formatMillis(nowMs),
    title: toldWorse ? `${name} is not worse any more: ${headline}` : `${name}: ${headline}`,
    text: restOf({ headline, text }),
    annotation: { ...toWire(annotation, undefined), verdict },
  })
}

function isNews({ timeNs, endTimeNs = timeNs }: StoredAnnotation, nowMs: number): boolean {
  return Number(endTimeNs / UNIT_NS.ms) > nowMs - NEWS_MS
}

const nameOf = ({ title, type, datasets }: StoredAnnotation) => title ?? `${type} of ${datasets.join(', ')}`

/** Part of the transaction in which it happens. @param named notifiers that get it whatever they ask for */
export async function tell(db: RecordsDatabase, notice: NotifierNotice, named: readonly string[] = []): Promise<void> {
  const all = await listNotifiers(db)
  const notifiers = all.filter(({ id, definition }) => named.includes(id) || isWanted(definition, notice)).map(({ id }) => id)
  await insertMessages(db, notifiers, { subject: notice.annotation?.id ?? '', notice: JSON.stringify(notice) })
}

function isWanted({ events, datasets, types, reach }: NotifierDefinition, { event, annotation }: NotifierNotice): boolean {
  if (annotation === undefined || event === 'test' || !events.includes(event)) return false
  if (datasets.length > 0 && !annotation.datasets.some((name) => datasets.includes(name))) return false
  if (reach && !annotation.datasets.every((name) => reach.includes(name))) return false
  return types.length === 0 || types.some((word) => annotation.type.includes(word))
}

/** One that a token which names datasets made is told of these alone; such a token reaches no others. */
export function isNotifierReached({ definition: { reach } }: NotifierRecord, { limit }: Pick<Caller, 'limit'>): boolean {
  return !limit || (reach?.every((name) => limit.includes(name)) ?? false)
}
