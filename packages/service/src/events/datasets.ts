/**
 * The datasets of this service: by name, made by hand or by the first event, changed, emptied and removed.
 * Kept in memory and written through; another service process on the same server sees a dataset only after its own start.
 */
import { randomBytes } from 'node:crypto'
import { ServiceError } from '../errors.ts'
import type { Dataset } from './dataset.ts'
import type { DatasetTable } from './dataset-table.ts'
import { FieldTree } from './field-tree.ts'

export interface NewDataset {
  name: string
  description: string
  /** 0: for ever. */
  retentionDays: number
  createdBy: string
}

export interface Datasets {
  list(): Dataset[]
  /** @throws ServiceError `not_found` */
  get(name: string): Dataset
  find(name: string): Dataset | undefined
  /** @throws ServiceError `exists` */
  create(dataset: NewDataset): Promise<Dataset>
  change(name: string, change: { description?: string; retentionDays?: number }): Promise<Dataset>
  remove(name: string): Promise<void>
  /** Removes the events older than `beforeNs`. */
  trim(name: string, beforeNs: bigint): Promise<void>
  /** The dataset, or a new one by that name that is not on disk before {@link keep}. Each call is ended by {@link letGo}. */
  borrow(name: string, by: string): Dataset
  /** Puts a borrowed dataset on disk. */
  keep(dataset: Dataset): Promise<void>
  letGo(dataset: Dataset): void
}

export interface DatasetsOptions {
  fieldsMax: number
  clock: () => number
}

export async function openDatasets(table: DatasetTable, { fieldsMax, clock }: DatasetsOptions): Promise<Datasets> {
  const live = new Map((await table.load(fieldsMax)).map((dataset) => [dataset.name, dataset]))
  const borrowed = new Map<string, { dataset: Dataset; users: number; making: Promise<void> | undefined }>()

  const make = ({ name, description, retentionDays, createdBy }: NewDataset): Dataset => ({
    name,
    table: `events_${randomBytes(10).toString('hex')}`,
    description,
    createdAtMs: clock(),
    updatedAtMs: clock(),
    createdBy,
    retentionDays,
    fields: new FieldTree(fieldsMax),
    unsaved: new Map(),
    state: 'new',
  })
  const get = (name: string): Dataset => {
    const dataset = live.get(name)
    if (!dataset) throw new ServiceError('not_found', `there is no dataset ${JSON.stringify(name)}`)
    return dataset
  }
  const borrow = (name: string, dataset: () => Dataset): Dataset => {
    const known = live.get(name)
    if (known) return known
    const shared = borrowed.get(name) ?? { dataset: dataset(), users: 0, making: undefined }
    borrowed.set(name, shared)
    shared.users++
    return shared.dataset
  }
  const letGo = (dataset: Dataset) => {
    const shared = borrowed.get(dataset.name)
    if (shared?.dataset === dataset && --shared.users === 0) borrowed.delete(dataset.name)
  }
  const keep = async (dataset: Dataset) => {
    if (dataset.state !== 'new') return
    const shared = borrowed.get(dataset.name)
    if (shared?.dataset !== dataset) throw new Error(`the dataset ${dataset.name} is kept without being borrowed`)
    shared.making ??= table.create(dataset).then(() => {
      dataset.state = 'live'
      live.set(dataset.name, dataset)
    })
    try {
      await shared.making
    } finally {
      shared.making = undefined
    }
  }
  return {
    list: () => [...live.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    find: (name) => live.get(name),
    get,
    async create(wanted) {
      if (live.has(wanted.name)) throw exists(wanted.name)
      const dataset = borrow(wanted.name, () => make(wanted))
      try {
        if (borrowed.get(wanted.name)?.making) {
          // An event is making it at this moment: it is there then, with that event's defaults.
          await keep(dataset)
          throw exists(wanted.name)
        }
        // The name may be borrowed by an event under way; it then gets this description.
        Object.assign(dataset, wanted)
        await keep(dataset)
        return dataset
      } finally {
        letGo(dataset)
      }
    },
    async change(name, { description, retentionDays }) {
      const dataset = get(name)
      const before = { description: dataset.description, retentionDays: dataset.retentionDays, updatedAtMs: dataset.updatedAtMs }
      Object.assign(dataset, {
        description: description ?? dataset.description,
        retentionDays: retentionDays ?? dataset.retentionDays,
        updatedAtMs: Math.max(clock(), dataset.updatedAtMs),
      })
      try {
        await table.change(dataset, dataset.retentionDays !== before.retentionDays)
      } catch (error) {
        Object.assign(dataset, before)
        throw error
      }
      return dataset
    },
    async remove(name) {
      const dataset = get(name)
      live.delete(name)
      dataset.state = 'gone'
      try {
        await table.remove(dataset)
      } catch (error) {
        if (!live.has(name)) {
          dataset.state = 'live'
          live.set(name, dataset)
        }
        throw error
      }
    },
    trim: (name, beforeNs) => table.trim(get(name).table, beforeNs),
    borrow: (name, by) => borrow(name, () => make({ name, description: '', retentionDays: 0, createdBy: by })),
    keep,
    letGo,
  }
}

function exists(name: string): ServiceError {
  return new ServiceError('exists', `there is a dataset ${JSON.stringify(name)} already`)
}
