/**
 * Views of the page of charts, saved under a name for everybody whose token may read them. A token that names datasets reaches the
 * views that are about these alone: a query says what there is in a dataset.
 * Deliberately not here: HTTP; running the query.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import type { Permission } from '@deployment-annotations/contract/permission'
import { type NewSavedView, SAVED_VIEW_DEFAULTS, type SavedViewChange } from '@deployment-annotations/contract/saved-view'
import type { Records } from '@deployment-annotations/records/database/records'
import {
  deleteSavedView,
  findSavedView,
  insertSavedView,
  listSavedViewPages,
  lockSavedView,
  type SavedViewDefinition,
  type SavedViewRecord,
  updateSavedView,
} from '@deployment-annotations/records/saved/saved-view-records'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { invalid, quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import { type Ceilings, requirePlace } from '../flags/ceilings.ts'
import { newId } from '../wire/ids.ts'
import { readTime } from '../wire/request-time.ts'
import { requireFound } from '../wire/require-found.ts'

interface SavedViewsOptions {
  records: Records
  ceilings: Ceilings
  /** Milliseconds since the epoch. */
  clock: () => number
}

export class SavedViews {
  readonly #options: SavedViewsOptions

  constructor(options: SavedViewsOptions) {
    this.#options = options
  }

  /** @throws ServiceError `invalid`, `forbidden` for what it is about */
  async create(sent: NewSavedView, by: Caller): Promise<SavedViewRecord> {
    const { records, clock, ceilings } = this.#options
    const nowMs = clock()
    const definition = { ...SAVED_VIEW_DEFAULTS, ...sent }
    requireValid(definition, 'views|create', by)
    const times = { createdAtMs: nowMs, updatedAtMs: nowMs }
    const record = { id: newId('savedView', nowMs), version: 1, definition, createdBy: by.id, ...times }
    await records.transaction(async (db) => {
      await requirePlace(db, 'saved_views', ceilings)
      await insertSavedView(db, record)
    })
    return record
  }

  /** Those that the caller reaches, the oldest first. */
  async *list(by: Caller): AsyncGenerator<SavedViewRecord[], void> {
    for await (const page of listSavedViewPages(this.#options.records.read)) yield page.filter((record) => isReached(record, by))
  }

  /** @throws ServiceError `not_found`, as the next ones do for one that the caller does not reach */
  async get(id: string, by: Caller): Promise<SavedViewRecord> {
    return requireReached(id, await findSavedView(this.#options.records.read, id), by)
  }

  /**
   * @param version that the change was made of; absent: whichever there is
   * @throws ServiceError `not_found`, `changed_meanwhile`, `invalid`, `forbidden` for what it would be about
   */
  change(id: string, { version, ...members }: SavedViewChange, by: Caller): Promise<SavedViewRecord> {
    const { records, clock } = this.#options
    const updatedAtMs = clock()
    return records.transaction(async (db) => {
      const before = requireReached(id, await lockSavedView(db, id), by)
      requireVersion(before, version)
      const definition = { ...before.definition, ...members }
      const after = { ...before, version: before.version + 1, definition, updatedAtMs }
      requireValid(after.definition, 'views|update', by)
      await updateSavedView(db, after)
      return after
    })
  }

  /** @throws ServiceError `not_found` */
  async remove(id: string, by: Caller): Promise<void> {
    await this.#options.records.transaction(async (db) => {
      requireReached(id, await lockSavedView(db, id), by)
      await deleteSavedView(db, id)
    })
  }
}

/** What a view is about, and each of its charts. */
function datasetsOf({ datasets, charts }: SavedViewDefinition): string[] {
  return [...new Set([...datasets, ...charts.flatMap((chart) => chart.datasets)])]
}

function requireVersion({ id, version: present }: SavedViewRecord, version: number | undefined): void {
  if (version === undefined || version === present) return
  throw new ServiceError(
    'changed_meanwhile',
    `saved view ${quoted(id)} was changed meanwhile: it has version ${present}, and the change was made of version ${version}`,
  )
}

function isReached({ definition }: SavedViewRecord, { limit }: Caller): boolean {
  const datasets = datasetsOf(definition)
  return !limit || (datasets.length > 0 && datasets.every((name) => limit.includes(name)))
}

const requireReached = (id: string, record: SavedViewRecord | undefined, by: Caller): SavedViewRecord =>
  requireFound(record && isReached(record, by) && record, 'saved view', id)

function requireValid(definition: SavedViewDefinition, permission: Permission, by: Caller): void {
  const { startTime, endTime } = definition
  const datasets = datasetsOf(definition)
  // A moving range is kept as it was written, so only its form matters.
  readTime('startTime', startTime, 0n)
  readTime('endTime', endTime, 0n)
  for (const name of datasets) by.require(permission, 'for a view of it', name)
  if (!by.limit || datasets.length > 0) return
  const message = 'datasets must have at least 1 item, got []: the token names datasets, and would not see the view'
  throw invalid(VALIDATION_CODES.itemsMin, message)
}
