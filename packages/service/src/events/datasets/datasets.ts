/**
 * The datasets of this service: by name, made by hand or by the first event, changed, emptied and removed.
 * Kept in memory and written through; another service process on the same server sees a dataset only after its own start.
 */
import { randomBytes } from 'node:crypto'
import { ServiceError } from '../../errors.ts'
import type { DatasetStore } from '../../store/dataset-store.ts'
import type { EventTables } from '../../store/event-tables.ts'
import { FieldTree } from '../fields/field-tree.ts'
import { type Dataset, requireEvents } from './dataset.ts'
import { DatasetLease, type SharedDraft } from './dataset-lease.ts'
import { UnsavedFields } from './unsaved-fields.ts'

interface NewDataset {
  name: string
  description: string
  /** 0: forever. */
  retentionDays: number
  createdBy: string
}

interface DatasetsParts {
  store: DatasetStore
  tables: EventTables
  fieldsMax: number
  clock: () => number
}

export class Datasets {
  readonly #parts: DatasetsParts
  readonly #live = new Map<string, Dataset>()
  /** Datasets that requests under way named and that are not on disk yet; all who name one share it. */
  readonly #drafts = new Map<string, SharedDraft>()

  private constructor(parts: DatasetsParts) {
    this.#parts = parts
  }

  /** Reads what is kept. */
  static async open(parts: DatasetsParts): Promise<Datasets> {
    const datasets = new Datasets(parts)
    for (const { dataset, fields } of await parts.store.load()) {
      const live: Dataset = { ...dataset, ...datasets.#noFields(), state: 'live' }
      for (const [name, types] of fields) live.fields.load(name, types)
      datasets.#live.set(live.name, live)
    }
    return datasets
  }

  list(): Dataset[] {
    return [...this.#live.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  find(name: string): Dataset | undefined {
    return this.#live.get(name)
  }

  /** @throws ServiceError `not_found` */
  get(name: string): Dataset {
    const dataset = this.#live.get(name)
    if (!dataset) throw new ServiceError('not_found', `there is no dataset ${JSON.stringify(name)}`)
    return dataset
  }

  /** @throws ServiceError `exists` */
  async create(wanted: NewDataset): Promise<Dataset> {
    if (this.#live.has(wanted.name)) throw exists(wanted.name)
    using lease = this.#acquire(wanted)
    if (lease.isCommitting) {
      // An event is making it at this moment: it is there then, with that event's defaults.
      await lease.commit()
      throw exists(wanted.name)
    }
    // The name may be in use by an event under way; the dataset then gets this description.
    Object.assign(lease.dataset, wanted)
    await lease.commit()
    return lease.dataset
  }

  async change(name: string, change: { description?: string; retentionDays?: number }): Promise<Dataset> {
    const dataset = this.get(name)
    const { description, retentionDays, updatedAtMs } = dataset
    const { store, tables, clock } = this.#parts
    if (change.retentionDays !== undefined) requireEvents(dataset)
    dataset.description = change.description ?? description
    dataset.retentionDays = change.retentionDays ?? retentionDays
    dataset.updatedAtMs = Math.max(clock(), updatedAtMs)
    try {
      if (dataset.retentionDays !== retentionDays) await tables.setRetention(dataset.table, dataset.retentionDays)
      await store.change(dataset)
    } catch (error) {
      Object.assign(dataset, { description, retentionDays, updatedAtMs })
      throw error
    }
    return dataset
  }

  async remove(name: string): Promise<void> {
    const dataset = this.get(name)
    const { store, tables } = this.#parts
    this.#live.delete(name)
    dataset.state = 'gone'
    try {
      // Once it is gone from the catalogue, it is gone; a crash after that leaves a stray table for the next start.
      await store.remove(dataset.table)
      await tables.drop(dataset.table)
    } catch (error) {
      if (!this.#live.has(name)) {
        dataset.state = 'live'
        this.#live.set(name, dataset)
      }
      throw error
    }
  }

  /** Removes the events older than `beforeNs`. */
  async trim(name: string, beforeNs: bigint): Promise<void> {
    const dataset = this.get(name)
    requireEvents(dataset)
    await this.#parts.tables.trim(dataset.table, beforeNs)
  }

  /**
   * The dataset for as long as a request lasts, or a new one by that name that is on disk once the lease is committed.
   * @throws ServiceError `unavailable` where its events are damaged
   */
  acquire(name: string, by: string): DatasetLease {
    const live = this.#live.get(name)
    if (live) requireEvents(live)
    return live ? new DatasetLease(live) : this.#acquire({ name, description: '', retentionDays: 0, createdBy: by })
  }

  #acquire(wanted: NewDataset): DatasetLease {
    const { name } = wanted
    const draft: SharedDraft = this.#drafts.get(name) ?? {
      dataset: this.#make(wanted),
      users: 0,
      committing: undefined,
      create: (dataset) => this.#create(dataset),
      forget: () => this.#drafts.delete(name),
    }
    this.#drafts.set(name, draft)
    return new DatasetLease(draft.dataset, draft)
  }

  #make({ name, description, retentionDays, createdBy }: NewDataset): Dataset {
    const nowMs = this.#parts.clock()
    const table = `events_${randomBytes(10).toString('hex')}`
    const kept = { name, table, description, createdAtMs: nowMs, updatedAtMs: nowMs, createdBy, retentionDays }
    return { ...kept, ...this.#noFields(), state: 'new' }
  }

  #noFields(): Pick<Dataset, 'fields' | 'unsaved'> {
    return { fields: new FieldTree(this.#parts.fieldsMax), unsaved: new UnsavedFields() }
  }

  async #create(dataset: Dataset): Promise<void> {
    const { store, tables } = this.#parts
    await tables.create(dataset.table)
    if (dataset.retentionDays > 0) await tables.setRetention(dataset.table, dataset.retentionDays)
    await store.create(dataset)
    dataset.state = 'live'
    this.#live.set(dataset.name, dataset)
  }
}

function exists(name: string): ServiceError {
  return new ServiceError('exists', `there is a dataset ${JSON.stringify(name)} already`)
}
