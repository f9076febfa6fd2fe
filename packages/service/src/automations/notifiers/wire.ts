/**
 * Notifiers and their messages as they are answered, times as text.
 */
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
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

export function toDelivery(message: StoredMessage): NotifierDelivery {
  const { id, state, attempts, dueAtMs, firstTryMs, lastTryMs, error } = message
  const { event, action, title, annotation } = JSON.parse(message.notice) as NotifierNotice
  return dropUndefined({
    ...{ id, event, action, title, state, attempts, error },
    annotation: annotation?.id,
    firstTry: firstTryMs === undefined ? undefined : formatMillis(firstTryMs),
    lastTry: lastTryMs === undefined ? undefined : formatMillis(lastTryMs),
    nextTry: state === 'waiting' && dueAtMs > 0 ? formatMillis(dueAtMs) : undefined,
  })
}
