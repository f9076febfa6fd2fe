/**
 * The datasets that this service knows, by name: created by people or by the first event, changed, trimmed and removed. Every change is
 * made in the records, and the memory follows them, so that all services that share them agree. It is one file, because every change needs
 * what is in memory, and how it is loaded.
 */
import { randomBytes } from 'node:crypto'
import type { RecordCache } from '@deployment-annotations/records/database/record-caches'
import type { Records } from '@deployment-annotations/records/database/records'
import { noteTrim, readTrim } from '@deployment-annotations/records/database/settings-records'
import { readVersions } from '@deployment-annotations/records/database/versions'
import {
  type CatalogChanges,
  changeDataset,
  type DatasetChangeOf,
  type DatasetSettings,
  NEW_SETTINGS,
  openDataset,
  readCatalogChanges,
  removeDataset,
  removeFields,
  reserveDataset,
  type StoredDataset,
} from '@deployment-annotations/records/datasets/dataset-records'
import { type ChangedLayout, setLayouts } from '@deployment-annotations/records/datasets/layout-records'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { isStagingTable } from '../disk/engine-files.ts'
import { ignoreFullDisk } from '../disk/free-space.ts'
import { ignoreMissing, MissingTableError } from '../engine/engine-failures.ts'
import { IN_REST, TYPE_BITS, UNLISTED } from '../fields/field.ts'
import { type FieldNode, FieldTree, nextObject } from '../fields/field-tree.ts'
import type { LayoutKind } from '../schema/field-layout.ts'
import type { EventTables } from '../tables/event-tables.ts'
import { type Dataset, type DatasetLease, requireEvents, UnsavedFields } from './dataset.ts'
import { encodeComment } from './table-comment.ts'

/** Missing settings are those of {@link NEW_SETTINGS}. */
type NewDataset = Pick<StoredDataset, 'name' | 'createdBy' | 'description' | 'retentionDays'> & Partial<DatasetSettings>

/** A dataset that requests under way name and that is not on disk yet. */
interface Draft {
  readonly dataset: Dataset
  users: number
  committing: Promise<boolean> | undefined
}

interface DatasetsParts {
  records: Records
  tables: EventTables
  /** Where the files of missing tables are, by table. */
  missing?: ReadonlyMap<string, string>
  fieldsMax: number
  clock: () => number
}

export class Datasets implements RecordCache {
  readonly kind = 'catalogue'
  readonly #parts: DatasetsParts
  readonly #live = new Map<string, Dataset>()
  readonly #byTable = new Map<string, Dataset>()
  /** By the names of their datasets. All requests that name one share it. */
  readonly #drafts = new Map<string, Draft>()
  /** The version of the catalog up to which everything is known. */
  #known = -1n
  /** Loads run one after the other, so that none overwrites newer data. */
  #loading: Promise<void> = Promise.resolve()

  constructor(parts: DatasetsParts) {
    this.#parts = parts
  }

  load(version: bigint, isAnew = false): Promise<void> {
    const loading = this.#loading.then(() => this.#load(version, isAnew))
    this.#loading = loading.catch(() => undefined)
    return loading
  }

  async #load(version: bigint, isAnew: boolean): Promise<void> {
    if (version <= this.#known && !isAnew) return
    const changes = await readCatalogChanges(this.#parts.records.read, isAnew ? -1n : this.#known)
    const { datasets, fields, layouts, dropped } = changes
    for (const table of dropped) this.#forget(table)
    if (isAnew) this.#forgetUnknown(changes)
    for (const dataset of datasets) this.#take(dataset)
    for (const { table, name, types } of fields) this.#byTable.get(table)?.fields.load(name, types)
    for (const { table, field, kind } of layouts) {
      const known = this.#byTable.get(table)?.layouts
      if (kind === '') known?.delete(field)
      else known?.set(field, kind as LayoutKind)
    }
    this.#known = version
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
    if (!dataset) throw absent(name)
    return dataset
  }

  /**
   * @returns the error to answer with. If a table is missing, the records say whether its dataset was deleted or has lost its table;
   *   other errors are returned unchanged
   */
  async explain(error: unknown): Promise<unknown> {
    if (!(error instanceof MissingTableError) || isStagingTable(error.missing.table)) return error
    const isCurrent = await this.#catchUp().then(
      () => true,
      () => false,
    )
    const { table, effect, ...details } = error.missing
    const dataset = this.#byTable.get(table)
    if (dataset) return new MissingTableError(error.missing, dataset.name)
    return isCurrent ? new ServiceError('not_found', `the dataset was deleted meanwhile${effect}`, details) : error
  }

  /** @throws whatever the task rejects with, explained */
  async #explaining(task: Promise<void>): Promise<void> {
    await task.catch(async (error: unknown) => {
      throw await this.explain(error)
    })
  }

  /** Reads the changes of this and other services. */
  async #catchUp(): Promise<void> {
    await this.load((await readVersions(this.#parts.records.read)).catalogue)
  }

  /** @throws ServiceError `exists` */
  async create(wanted: NewDataset): Promise<Dataset> {
    if (this.#live.has(wanted.name)) throw exists(wanted.name)
    const creating = this.#drafts.get(wanted.name)?.committing
    if (creating) {
      // A request that creates it at this moment is awaited; the dataset then has the default settings.
      await creating
      throw exists(wanted.name)
    }
    using lease = this.#acquire(wanted)
    // An event under way may have a draft of this name, which then gets these settings.
    Object.assign(lease.dataset, NEW_SETTINGS, wanted)
    if (!(await lease.commit())) throw exists(wanted.name)
    return lease.dataset
  }

  /** @throws ServiceError `not_found`; whatever `changeOf` throws, with nothing changed */
  async changeBy(name: string, changeOf: DatasetChangeOf): Promise<Dataset> {
    const dataset = this.get(name)
    await this.#update(dataset, changeOf)
    const isInMap = ({ name: field }: FieldNode) => dataset.mapFields.some((map) => field.startsWith(`${map}.`))
    await this.#removeFields(dataset.table, dataset.fields, isInMap)
    return dataset
  }

  /** Removes the fields that no event has any more, so that others have a place. The engine looks at all events. */
  async freeFields(dataset: Dataset): Promise<void> {
    requireEvents(dataset)
    const { table, fields } = dataset
    const from = nextObject()
    const paths = await this.#parts.tables.readPaths(table)
    // Events that came meanwhile may have any field.
    const isUnused = ({ seenIn, path, types }: FieldNode) =>
      seenIn < from && (types & TYPE_BITS['map[string]']) === 0 && !paths.has(path.toString())
    await this.#removeFields(table, fields, isUnused)
  }

  async #removeFields(table: string, fields: FieldTree, isUnused: (field: FieldNode) => boolean): Promise<void> {
    const unused = [...fields.root.fields()].filter((field) => field.claims === 0 && isUnused(field))
    const names = unused.map(({ name }) => name)
    if (names.length === 0) return
    await this.#parts.records.transaction((db) => removeFields(db, table, names))
    await this.#catchUp()
  }

  async change(name: string, change: Partial<DatasetSettings>): Promise<Dataset> {
    const dataset = this.get(name)
    const { retentionDays: before, indexedFields } = dataset
    if (change.retentionDays !== undefined) requireEvents(dataset)
    await this.#update(dataset, () => change)
    // Upkeep chooses again what suits those that were named or are named no more.
    const named = [...indexedFields, ...dataset.indexedFields]
    const changed = named.filter((field) => named.indexOf(field) === named.lastIndexOf(field)).map((field) => ({ field }))
    if (changed.length > 0) await this.setLayouts(dataset, changed)
    try {
      if (dataset.retentionDays !== before) await this.#applyRetention(dataset)
    } catch (error) {
      if (dataset.retentionDays === change.retentionDays) await this.#update(dataset, () => ({ retentionDays: before }))
      throw error
    }
    return dataset
  }

  async remove(name: string): Promise<void> {
    const { table } = this.get(name)
    const { records, tables, clock } = this.#parts
    const wasThere = await records.transaction((db) => removeDataset(db, table, clock()))
    await this.#catchUp()
    if (!wasThere) throw absent(name)
    // The dataset is gone with its record. A table that cannot be dropped now is dropped by upkeep.ts.
    await tables.drop(table).catch(() => undefined)
  }

  /** Removes the events older than `beforeNs`. */
  async trim(name: string, beforeNs: bigint): Promise<void> {
    const dataset = this.get(name)
    requireEvents(dataset)
    const { records, tables } = this.#parts
    const note = () => records.transaction((db) => noteTrim(db, dataset.table, beforeNs))
    // On a full disk the trim makes the room for its note.
    const isNoted = await note().then(() => true, ignoreFullDisk)
    await this.#explaining(tables.trim(dataset.table, beforeNs))
    if (!isNoted) await note()
    if (dataset.fields.isCrowded) await this.freeFields(dataset)
  }

  /** Whether all events of this table from this time on should be there: nobody trimmed them, and none is older than the retention. */
  async keepsAll(table: string, fromNs: bigint): Promise<boolean> {
    const dataset = this.#byTable.get(table)
    if (!dataset || dataset.damagedAt !== undefined) return false
    const { records, clock } = this.#parts
    const expiredNs = dataset.retentionDays === 0 ? undefined : ageLimitNs(clock(), dataset.retentionDays)
    const limits = [expiredNs, await readTrim(records.read, table)]
    return limits.every((limit) => limit === undefined || fromNs >= limit)
  }

  /**
   * Returns the dataset for the duration of a request; if it is new, it is on disk once the lease is committed.
   * @param mapFields those of a new dataset
   * @throws ServiceError `unavailable` if its events are damaged
   */
  acquire(name: string, by: string, mapFields: readonly string[] = []): DatasetLease {
    const live = this.#live.get(name)
    if (live) requireEvents(live)
    if (live) return { dataset: live, commit: async () => false, [Symbol.dispose]: () => undefined }
    return this.#acquire({ name, description: '', retentionDays: 0, createdBy: by, mapFields })
  }

  #acquire(wanted: NewDataset): DatasetLease {
    const { name } = wanted
    const draft = this.#drafts.get(name) ?? { dataset: this.#make(wanted), users: 0, committing: undefined }
    this.#drafts.set(name, draft)
    draft.users++
    return {
      dataset: draft.dataset,
      commit: async () => draft.dataset.state === 'new' && this.#commit(draft),
      [Symbol.dispose]: () => {
        if (--draft.users === 0) this.#drafts.delete(name)
      },
    }
  }

  #commit(draft: Draft): Promise<boolean> {
    draft.committing ??= this.#create(draft.dataset).finally(() => {
      draft.committing = undefined
    })
    return draft.committing
  }

  #make(wanted: NewDataset): Dataset {
    const nowMs = this.#parts.clock()
    const table = `events_${randomBytes(10).toString('hex')}`
    const kept = this.#noFields()
    kept.fields.setMaps(wanted.mapFields ?? [])
    return { ...NEW_SETTINGS, ...wanted, table, createdAtMs: nowMs, updatedAtMs: nowMs, ...kept, state: 'new' }
  }

  #noFields(): Pick<Dataset, 'fields' | 'unsaved' | 'layouts'> {
    return { fields: new FieldTree(this.#parts.fieldsMax), unsaved: new UnsavedFields(), layouts: new Map() }
  }

  /**
   * Reserves the name, creates the table, and then opens the dataset. A request that finds a reserved name without a dataset does the
   * rest, with the same table.
   * @returns whether this call created it; another service may have been faster
   */
  async #create(dataset: Dataset): Promise<boolean> {
    const { records, tables } = this.#parts
    // Others may change the dataset in memory before it is created.
    const wanted: DatasetSettings = { ...dataset }
    const reserved = await records.transaction((db) => reserveDataset(db, dataset))
    const { table } = reserved.dataset
    let isMade = false
    if (!reserved.isLive) {
      await tables.create(table, encodeComment({ ...dataset, ...reserved.dataset }))
      if (wanted.retentionDays > 0) await tables.setRetention(table, wanted.retentionDays)
      isMade = await records.transaction((db) => openDataset(db, table, wanted))
    }
    // Reads its fields, and the settings of another service if that was faster.
    await this.#catchUp()
    return isMade
  }

  /** Sets the columns and indexes that the dataset's table has for fields. @throws ServiceError `not_found` */
  async setLayouts({ table }: Dataset, layouts: readonly ChangedLayout[]): Promise<void> {
    await this.#parts.records.transaction((db) => setLayouts(db, table, layouts))
    await this.#catchUp()
  }

  async #update({ table }: Dataset, changeOf: DatasetChangeOf): Promise<void> {
    const { records, clock } = this.#parts
    await records.transaction((db) => changeDataset(db, table, changeOf, clock()))
    await this.#catchUp()
  }

  /** Applies recorded retentions that tables do not have. @param days what each table has */
  async applyRetentions(days: ReadonlyMap<string, number>): Promise<void> {
    for (const dataset of this.list())
      if (dataset.damagedAt === undefined && dataset.retentionDays !== (days.get(dataset.table) ?? 0))
        await this.#applyRetention(dataset).catch(ignoreMissing)
  }

  /** Applies the retention until the table has the recorded one, which another service may change meanwhile. */
  async #applyRetention(dataset: Dataset): Promise<void> {
    for (let applied: number | undefined; applied !== dataset.retentionDays; await this.#catchUp()) {
      applied = dataset.retentionDays
      await this.#explaining(this.#parts.tables.setRetention(dataset.table, applied))
    }
  }

  /** Applies a record. A draft of the same name becomes the dataset, so that requests under way share it. */
  #take(kept: StoredDataset): void {
    const known = this.#byTable.get(kept.table)
    const dataset = known ?? this.#drafts.get(kept.name)?.dataset ?? { ...kept, ...this.#noFields(), state: 'live' as const }
    Object.assign(dataset, kept, { state: 'live', damagedAt: this.#parts.missing?.get(kept.table) })
    dataset.fields.setMaps(kept.mapFields)
    this.#byTable.set(kept.table, dataset)
    this.#live.set(kept.name, dataset)
  }

  /** Forgets what other records do not have. Fields with values that they do not know are saved with the next events. */
  #forgetUnknown({ datasets, fields }: CatalogChanges): void {
    const there = new Set(datasets.map(({ table }) => table))
    const saved = new Map(fields.map(({ table, name, types }) => [`${table}/${name}`, types]))
    for (const [table, dataset] of this.#byTable) {
      if (!there.has(table)) {
        this.#forget(table)
        continue
      }
      dataset.layouts.clear()
      for (const { name, types } of dataset.fields.root.fields()) {
        const missing = types & ~(saved.get(`${table}/${name}`) ?? 0)
        if (missing !== 0) dataset.unsaved.add(name, missing)
      }
      if (dataset.fields.hasUnlisted && !saved.has(`${table}/${UNLISTED}`)) dataset.unsaved.add(UNLISTED, IN_REST)
    }
  }

  #forget(table: string): void {
    const dataset = this.#byTable.get(table)
    if (!dataset) return
    dataset.state = 'gone'
    this.#byTable.delete(table)
    if (this.#live.get(dataset.name) === dataset) this.#live.delete(dataset.name)
  }
}

const DAY_NS = 86_400_000_000_000n

/** @returns the time in nanoseconds since the epoch before which a retention removes events */
export function ageLimitNs(nowMs: number, retentionDays: number): bigint {
  return BigInt(nowMs) * 1_000_000n - BigInt(retentionDays) * DAY_NS
}

function absent(name: string): ServiceError {
  return new ServiceError('not_found', `dataset ${JSON.stringify(name)} not found`)
}

function exists(name: string): ServiceError {
  return new ServiceError('exists', `there is a dataset ${JSON.stringify(name)} already`)
}
