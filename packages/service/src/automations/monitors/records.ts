/**
 * The monitors there are, in memory and written through to their store: what is here is on disk, except where a write failed.
 * Knows of those when they are tried again. Deliberately not here: what is decided about a monitor.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { MONITORS_MAX } from '@deployment-annotations/contract/monitor'
import { invalid, ServiceError } from '../../errors.ts'
import type { MonitorStore, StoredMonitor } from '../../store/monitor-store.ts'

/**
 * What could not be recorded is tried again after this long, whatever the interval, which may be a year: a disk that was full
 * may have room by then.
 */
export const RETRY_MS = 60_000

type MonitorUpdate = Partial<Pick<StoredMonitor, 'definition' | 'state' | 'removed'>>

export class MonitorRecords {
  readonly #store: MonitorStore
  readonly #monitors: Map<string, StoredMonitor>
  readonly #retriesMs = new Map<string, number>()
  #reserved = 0

  private constructor(store: MonitorStore, monitors: readonly StoredMonitor[]) {
    this.#store = store
    this.#monitors = new Map(monitors.map((monitor) => [monitor.id, monitor]))
  }

  static async load(store: MonitorStore): Promise<MonitorRecords> {
    return new MonitorRecords(store, await store.load())
  }

  /** Every monitor, and removed ones whose outbox is not empty. */
  all(): IterableIterator<StoredMonitor> {
    return this.#monitors.values()
  }

  /** @returns the monitor, also where it was removed and its outbox is not empty */
  find(id: string): StoredMonitor | undefined {
    return this.#monitors.get(id)
  }

  /** @throws ServiceError `not_found`, also for a removed one */
  get(id: string): StoredMonitor {
    const monitor = this.#monitors.get(id)
    if (!monitor || monitor.removed) throw new ServiceError('not_found', `there is no monitor ${id}`)
    return monitor
  }

  /**
   * Takes a place for a monitor before it is stored, so that no two creates take the last one.
   * @throws ServiceError `invalid` where there is none left
   */
  reserve(): Disposable {
    if (this.#monitors.size + this.#reserved >= MONITORS_MAX) {
      throw invalid(VALIDATION_CODES.itemsMax, `there can be at most ${MONITORS_MAX} monitors; delete one`)
    }
    this.#reserved++
    return { [Symbol.dispose]: () => void this.#reserved-- }
  }

  /** Writes the next version of a monitor down, then takes it over; a failed write leaves everything as it was. */
  async save(before: StoredMonitor, update: MonitorUpdate = {}): Promise<StoredMonitor> {
    const monitor = { ...before, ...update, version: before.version + 1 }
    await this.#store.save(monitor)
    this.#retriesMs.delete(monitor.id)
    this.#monitors.set(monitor.id, monitor)
    return monitor
  }

  /** Takes over what could not be written down: only memory knows of it. */
  keepUnsaved(monitor: StoredMonitor): void {
    this.#monitors.set(monitor.id, monitor)
  }

  /** Forgets a removed monitor with nothing left to do. */
  forget(id: string): void {
    this.#monitors.delete(id)
  }

  retryLater(id: string, nowMs: number): void {
    this.#retriesMs.set(id, nowMs + RETRY_MS)
  }

  /** When what failed is tried again, if something did. */
  retryMs(id: string): number | undefined {
    return this.#retriesMs.get(id)
  }
}
