/**
 * Notifiers and their messages as they are answered, times as text.
 */
import type { Notifier, NotifierDelivery, NotifierProperties } from '@deployment-annotations/contract/notifier'
import { formatMillis } from '@deployment-annotations/contract/timestamp'
import type { NotifierNotice } from '@deployment-annotations/edge/messages/message'
import type { NotifierRecord } from '@deployment-annotations/records/automations/notifier-records'
import type { StoredMessage } from '@deployment-annotations/records/automations/outbox-records'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { maskProperties, type NotifierTarget } from '../../outbox/target.ts'

/** @returns the notifier, its secrets for the token that sent them alone */
export function showTo(by: Caller, record: NotifierRecord, { properties }: NotifierTarget): Notifier {
  return toWire(record, record.targetBy === by.id ? properties : maskProperties(properties))
}

export function toWire({ id, definition, ...record }: NotifierRecord, properties: NotifierProperties): Notifier {
  const { reach: _, disabledUntilMs, ...shown } = definition
  return {
    id,
    ...shown,
    properties,
    ...(disabledUntilMs !== undefined && { disabledUntil: formatMillis(disabledUntilMs) }),
    createdAt: formatMillis(record.createdAtMs),
    createdBy: record.createdBy,
    updatedAt: formatMillis(record.updatedAtMs),
  }
}

export function toDelivery({
  id,
  notice,
  state,
  attempts,
  dueAtMs,
  firstTryMs,
  lastTryMs,
  error,
}: StoredMessage): NotifierDelivery {
  const { event, action, title, annotation } = JSON.parse(notice) as NotifierNotice
  return {
    id,
    event,
    action,
    title,
    state,
    attempts,
    ...(annotation && { annotation: annotation.id }),
    ...(firstTryMs !== undefined && { firstTry: formatMillis(firstTryMs) }),
    ...(lastTryMs !== undefined && { lastTry: formatMillis(lastTryMs) }),
    ...(state === 'waiting' && dueAtMs > 0 && { nextTry: formatMillis(dueAtMs) }),
    ...(error !== undefined && { error }),
  }
}
