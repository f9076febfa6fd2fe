/**
 * Notifiers made, changed, tried and removed over HTTP. What is secret is answered only to the token that sent it, so that Terraform finds
 * what it set. A token that names datasets makes notifiers that are told of these alone, and reaches no others.
 * Deliberately not here: how messages are delivered (outbox/message-outbox.ts).
 */
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import type {
  MadeNotifier,
  NewNotifier,
  Notifier,
  NotifierChange,
  NotifierDelivery,
  NotifierProperties,
} from '@deployment-annotations/contract/notifier'
import { type NotifierEvent, SIGNED_KINDS } from '@deployment-annotations/contract/notifier'
import type { Permission } from '@deployment-annotations/contract/permission'
import { formatMillis } from '@deployment-annotations/contract/timestamp'
import type { NotifierNotice } from '@deployment-annotations/edge/messages/message'
import { listMonitors, updateMonitor } from '@deployment-annotations/records/automations/monitor-records'
import {
  deleteNotifier,
  insertNotifier,
  listNotifiers,
  lockNotifiers,
  type NotifierDefinition,
  type NotifierRecord,
  updateNotifier,
} from '@deployment-annotations/records/automations/notifier-records'
import { insertMessages, listMessages } from '@deployment-annotations/records/automations/outbox-records'
import type { Records } from '@deployment-annotations/records/database/records'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { invalid, quoted } from '@deployment-annotations/runtime/errors'
import { requireWellFormed } from '../../annotations/requests.ts'
import { findKeys } from '../../encryption/stored-secret.ts'
import { type Ceilings, requirePlace } from '../../flags/ceilings.ts'
import { isNotifierReached } from '../../outbox/notices.ts'
import { isZone } from '../../outbox/quiet-hours.ts'
import { checkProperties, kindOf, maskProperties, type NotifierTarget, openTarget, sealTarget } from '../../outbox/target.ts'
import { newId, newTraceId } from '../../wire/ids.ts'
import { readMillis } from '../../wire/request-time.ts'
import { requireFound } from '../../wire/require-found.ts'
import { makeSecret } from '../integrations/integration.ts'
import { showTo, toDelivery, toWire } from './wire.ts'

interface NotifiersOptions {
  records: Records
  ceilings: Ceilings
  /** Where the file with the key to the secrets is, unless the key is given by variable. */
  dataDir: string
  mayBePrivate: boolean
  hasSmtp: boolean
  /** Milliseconds since the epoch. */
  clock: () => number
}

/** A caller with the permission to read what an event tells. */
const NEEDED: Readonly<Record<NotifierEvent, Permission>> = {
  verdict: 'query|read',
  failure: 'annotations|read',
  monitor: 'monitors|read',
}

export class Notifiers {
  readonly #options: NotifiersOptions

  constructor(options: NotifiersOptions) {
    this.#options = options
  }

  /** Those that the caller reaches, the oldest first, each with its last message. */
  async list(by: Caller): Promise<Notifier[]> {
    const { records, dataDir } = this.#options
    const found = (await listNotifiers(records.read)).filter((record) => isNotifierReached(record, by))
    // Without the key they are listed all the same.
    const keys = found.length === 0 ? undefined : await findKeys(records, dataDir).catch(() => undefined)
    return Promise.all(
      found.map(async (record) => {
        const [last] = await listMessages(records.read, record.id)
        const properties = keys ? maskProperties(openTarget(record, keys).properties) : {}
        return { ...toWire(record, properties), ...(last && { lastDelivery: toDelivery(last) }) }
      }),
    )
  }

  /** @throws ServiceError `not_found`, as the next ones do for one that the caller does not reach */
  async get(id: string, by: Caller): Promise<Notifier> {
    const { records, dataDir } = this.#options
    const record = requireReached(id, await listNotifiers(records.read), by)
    return showTo(by, record, openTarget(record, await findKeys(records, dataDir)))
  }

  /** @returns the messages that are kept, the newest first */
  async deliveries(id: string, by: Caller): Promise<NotifierDelivery[]> {
    const { read } = this.#options.records
    requireReached(id, await listNotifiers(read), by)
    return (await listMessages(read, id)).map(toDelivery)
  }

  /** @throws ServiceError `invalid`, `forbidden`, `unavailable` without the key to the secrets */
  async create(members: NewNotifier, by: Caller): Promise<MadeNotifier> {
    const { records, dataDir, clock, ceilings } = this.#options
    const { name, properties } = members
    const nowMs = clock()
    const base = { name, events: [], datasets: [], types: [], ...(by.limit && { reach: [...by.limit] }) }
    const definition = withMembers(base, members)
    this.#check(definition, properties, by)
    const kind = kindOf(properties)
    const target: NotifierTarget = { properties, ...(SIGNED_KINDS.has(kind) && { secret: makeSecret() }) }
    const id = newId('notifier', nowMs)
    const sealed = sealTarget(target, await findKeys(records, dataDir), id)
    const times = { createdAtMs: nowMs, updatedAtMs: nowMs }
    const record = { id, kind, definition, encryptedTarget: sealed, targetBy: by.id, createdBy: by.id, ...times }
    await records.transaction(async (db) => {
      await requirePlace(db, 'notifiers', ceilings)
      await insertNotifier(db, record)
    })
    return { ...showTo(by, record, target), ...(target.secret !== undefined && { secret: target.secret }) }
  }

  /**
   * Properties that are sent take the place of those that are there, unless they are what an answer shows of them.
   * @throws ServiceError `not_found`, `invalid`, `forbidden`, `unavailable`
   */
  async change(id: string, members: NotifierChange, by: Caller): Promise<Notifier> {
    return this.#update(id, by, (record, target) => {
      const definition = withMembers(record.definition, members)
      const { properties = target.properties } = members
      const isSame = JSON.stringify(properties) === JSON.stringify(maskProperties(target.properties))
      const sent = isSame ? target.properties : properties
      this.#check(definition, sent, by)
      const kind = kindOf(sent)
      const secret = target.secret ?? (SIGNED_KINDS.has(kind) ? makeSecret() : undefined)
      const targetBy = isSame || !members.properties ? record.targetBy : by.id
      return [
        { ...record, kind, definition, targetBy },
        { properties: sent, ...(secret !== undefined && { secret }) },
      ]
    })
  }

  /** Another secret takes the place of the one that is there, at once. @throws ServiceError as {@link change} */
  async regenerate(id: string, by: Caller): Promise<MadeNotifier> {
    const secret = makeSecret()
    const notifier = await this.#update(id, by, (record, { properties }) => {
      if (!SIGNED_KINDS.has(record.kind)) {
        throw invalid(VALIDATION_CODES.enum, `messages of ${record.kind} are not signed; those of webhooks are`)
      }
      return [record, { properties, secret }]
    })
    return { ...notifier, secret }
  }

  /** Its messages that wait are not delivered any more, and monitors do not name it. @throws ServiceError `not_found` */
  async remove(id: string, by: Caller): Promise<void> {
    await this.#options.records.transaction(async (db) => {
      requireReached(id, await lockNotifiers(db), by)
      for (const monitor of await listMonitors(db)) {
        const { notifierIds = [] } = monitor.definition
        if (!notifierIds.includes(id)) continue
        const definition = { ...monitor.definition, notifierIds: notifierIds.filter((one) => one !== id) }
        await updateMonitor(db, monitor, { definition })
      }
      await deleteNotifier(db, id)
    })
  }

  /** Writes a message that tries it. @returns its id */
  async test(id: string, by: Caller): Promise<string> {
    const { records, clock } = this.#options
    const { definition } = requireReached(id, await listNotifiers(records.read), by)
    const notice: NotifierNotice = {
      event: 'test',
      action: 'open',
      time: formatMillis(clock()),
      title: `A test of the notifier ${definition.name}`,
      text: 'Nothing has happened: somebody tries whether messages arrive.',
    }
    const subject = `test/${newTraceId()}`
    await records.transaction((db) => insertMessages(db, [id], { subject, notice: JSON.stringify(notice) }))
    const message = (await listMessages(records.read, id)).find((one) => one.subject === subject)
    return message?.id ?? ''
  }

  async #update(
    id: string,
    by: Caller,
    change: (record: NotifierRecord, target: NotifierTarget) => [NotifierRecord, NotifierTarget],
  ): Promise<Notifier> {
    const { records, dataDir, clock } = this.#options
    const keys = await findKeys(records, dataDir)
    return records.transaction(async (db) => {
      const before = requireReached(id, await lockNotifiers(db), by)
      const [changed, target] = change(before, openTarget(before, keys))
      const after = { ...changed, encryptedTarget: sealTarget(target, keys, id), updatedAtMs: clock() }
      await updateNotifier(db, after)
      return showTo(by, after, target)
    })
  }

  #check(definition: NotifierDefinition, properties: NotifierProperties, by: Caller): void {
    requireWellFormed({ name: definition.name })
    const { quietHours, events, datasets } = definition
    if (quietHours && !isZone(quietHours.zone)) {
      throw invalid(VALIDATION_CODES.enum, `quietHours.zone must be a zone such as Europe/Berlin, got ${quoted(quietHours.zone)}`)
    }
    if (quietHours && quietHours.start === quietHours.end) {
      throw invalid(
        VALIDATION_CODES.min,
        `quietHours must end at another time than they start, got ${quoted(quietHours.end)} for both`,
      )
    }
    checkProperties(properties, this.#options)
    const names = datasets.length > 0 ? datasets : (by.limit ?? ['*'])
    for (const event of events) {
      for (const name of names)
        by.require(NEEDED[event], `to be notified of ${event}`, name === '*' && !isOfDataset(event) ? undefined : name)
    }
  }
}

const isOfDataset = (event: NotifierEvent) => NEEDED[event] === 'query|read'

/** @returns the last message of this id, once it does not wait for its first try any more */
export async function watchMessage(
  { read }: Pick<Records, 'read'>,
  { notifier, message, waitMs }: { notifier: string; message: string; waitMs: number },
): Promise<NotifierDelivery> {
  const untilMs = performance.now() + waitMs
  for (;;) {
    const sent = (await listMessages(read, notifier)).find(({ id }) => id === message)
    const found = requireFound(sent, 'notifier', notifier)
    if (found.state !== 'waiting' || found.attempts > 0 || performance.now() > untilMs) return toDelivery(found)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function withMembers(before: NotifierDefinition, members: NotifierChange): NotifierDefinition {
  const { name = before.name, events, datasets, types, quietHours = before.quietHours, disabledUntil } = members
  const unique = <T>(items: readonly T[]): T[] => [...new Set(items)]
  return dropUndefined({
    ...before,
    name,
    events: unique(events ?? before.events),
    datasets: unique(datasets ?? before.datasets),
    types: unique(types ?? before.types),
    quietHours: quietHours ?? undefined,
    disabledUntilMs: disabledUntil === undefined ? before.disabledUntilMs : readMillis('disabledUntil', disabledUntil),
  })
}

function requireReached(id: string, all: readonly NotifierRecord[], by: Caller): NotifierRecord {
  const record = all.find((one) => one.id === id && isNotifierReached(one, by))
  return requireFound(record, 'notifier', id)
}
