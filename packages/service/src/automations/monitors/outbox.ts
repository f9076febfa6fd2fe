/**
 * What monitors do to annotations: a span is opened under an id chosen before, and closed. Each operation is in the monitor's
 * outbox, on disk, before it is carried out, and may be carried out again: the second time changes nothing.
 */
import type { Annotations } from '../../annotations/annotations.ts'
import { ServiceError } from '../../errors.ts'
import { describeError, type Log } from '../../log.ts'
import type { SpanOperation, StoredMonitor } from '../../store/monitor-store.ts'
import { entryOf } from './entry.ts'
import type { MonitorRecords } from './records.ts'
import type { Timer } from './timer.ts'

const NS_PER_MS = 1_000_000n

interface OutboxOptions {
  records: MonitorRecords
  annotations: Annotations
  clock: Timer
  log: Log
}

export class Outbox {
  readonly #options: OutboxOptions

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  /** Carries out what was decided and may not be done yet. @returns the monitor with an empty outbox */
  async deliver(monitor: StoredMonitor): Promise<StoredMonitor> {
    const { records } = this.#options
    const { outbox } = monitor.state
    if (outbox.length === 0) return monitor
    for (const operation of outbox) await this.#perform(operation, monitor)
    const delivered = await records.save(monitor, { state: { ...monitor.state, outbox: [] } })
    if (delivered.removed) records.forget(delivered.id)
    return delivered
  }

  /** Like deliver, after an answer that holds whatever becomes of the outbox: the scheduler tries it again. */
  async tryDeliver(monitor: StoredMonitor): Promise<StoredMonitor> {
    const { records, clock, log } = this.#options
    try {
      return await this.deliver(monitor)
    } catch (error) {
      log.error(entryOf(monitor, { error: describeError(error) }))
      records.retryLater(monitor.id, clock.now())
      return monitor
    }
  }

  async #perform(operation: SpanOperation, { id, definition }: StoredMonitor): Promise<void> {
    const { annotations, log } = this.#options
    const atNs = BigInt(operation.atMs) * NS_PER_MS
    if (operation.kind === 'open') {
      const { id: annotationId, datasets, type, title, description } = operation
      await annotations.ensure({ id: annotationId, datasets: [...datasets], timeNs: atNs, type, title, description }, id)
      return
    }
    try {
      const { timeNs, endTimeNs } = await annotations.get(operation.id)
      // An end that is there already was set by an earlier attempt, or by a person who knows better.
      if (endTimeNs !== undefined) return
      // A person may have moved its start, and a clock may have been set back.
      await annotations.change(operation.id, { endTimeNs: timeNs > atNs ? timeNs : atNs })
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
      const message = `${operation.id} was deleted, so its span is not closed`
      log.info({ event: 'monitor', monitorId: id, name: definition.name, message })
    }
  }
}
