/**
 * Maintains the columns and indexes of each dataset: it gives them to fields with usual names and to those that the dataset names,
 * builds them from existing events, and drops those that no longer fit their field. It is part of upkeep, so that one service does it, a
 * step at a time. Each step may be repeated: after a restart it continues from the state in the engine and the records.
 * Deliberately not here: what suits a field (field-usage.ts).
 */
import { storedText } from '@deployment-annotations/apl/sql/field'
import type { Records } from '@deployment-annotations/records/database/records'
import { readLayoutChanges, setLayouts } from '@deployment-annotations/records/datasets/layout-records'
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import type { Dataset } from '../datasets/dataset.ts'
import { SHRINK_RESERVE_BYTES } from '../disk/free-space.ts'
import { enginePath, TYPE_BITS } from '../fields/field.ts'
import type { FieldNode } from '../fields/field-tree.ts'
import { addLayouts, buildLayouts, dropLayout, isColumn, type LayoutKind, layoutName } from '../schema/field-layout.ts'
import type { EventTables } from '../tables/event-tables.ts'
import { measureTables, type TableSize } from '../tables/stored-size.ts'
import { QUIET_SECONDS } from '../upkeep/merge-small-parts.ts'
import { Sightings, type UpkeepParts, type UpkeepTasks } from '../upkeep/upkeep.ts'
import { findUnbuilt, findUsage, listLayouts } from './event-layouts.ts'
import { KINDS, usageFor } from './field-usage.ts'

const TASK = 'keep indexes'

/**
 * A scan of fewer events takes 2 to 5 ms, so that there is nothing to save, and each insert of a small dataset would take a fifth more
 * processor time with six columns.
 */
const ROWS_MIN = 100_000
/** This is longer than a query may run that was compiled while the column was still in the catalog. */
const DROP_AFTER_MS = 600_000
/** A smaller share of rows is scanned quickly enough; above it, columns are built again. */
const SHARE_MIN = 0.1
/** Building takes at most a twentieth of the time: an index of words takes 3 µs a row, and everything else a tenth of it. */
const PAUSE_MICROSECONDS_PER_ROW = 20 * 3

/**
 * Call this before the first query, because queries must not name missing columns: the records forget those that the tables lack, for
 * example after the events were restored from another backup.
 */
export async function forgetLost(records: Records, { engine }: Pick<EventTables, 'engine'>): Promise<void> {
  const there = await listLayouts(engine)
  for (const { table, field, kind } of await readLayoutChanges(records.read, -1n)) {
    if (kind === '' || there.get(table)?.includes(nameOf(field, kind as LayoutKind))) continue
    await records.transaction((db) => setLayouts(db, table, [{ field }]))
  }
}

/** @returns the upkeep task of a store whose tables have columns and indexes */
export function openIndexes(tables: EventTables, parts: UpkeepParts): UpkeepTasks {
  const keeper = new LayoutKeeper(tables, parts)
  return { [TASK]: (log) => keeper.upkeep(log) }
}

class LayoutKeeper {
  readonly #tables: EventTables
  readonly #parts: UpkeepParts
  /** Columns and indexes without a record. */
  readonly #useless = new Sightings()
  /** When the next build of a table may begin. */
  readonly #notBeforeMs = new Map<string, number>()

  constructor(tables: EventTables, parts: UpkeepParts) {
    this.#tables = tables
    this.#parts = parts
  }

  async upkeep(log: Log): Promise<void> {
    const { datasets, kindOfField } = this.#parts
    const { engine } = this.#tables
    const [sizes, had] = [await measureTables(this.#tables), await listLayouts(engine)]
    const used = new Set(datasets.list().flatMap((dataset) => namesOf(dataset).map((name) => `${dataset.table} ${name}`)))
    const all = [...had].flatMap(([table, names]) => names.map((name) => `${table} ${name}`))
    const useless = all.filter((name) => !used.has(name))
    const stale = this.#useless.findStale(useless, DROP_AFTER_MS)
    for (const dataset of datasets.list()) {
      if (dataset.damagedAt !== undefined) continue
      const { table } = dataset
      const [names, size] = [had.get(table) ?? [], sizes.get(table)]
      try {
        await this.#retract(dataset, names, log)
        // The build of a column that is dropped cannot succeed, and would be tried without end.
        for (const name of names.filter((one) => stale.includes(`${table} ${one}`)))
          if (!size?.isBusy) await this.#tables.alter(table, dropLayout(table, name), SHRINK_RESERVE_BYTES)
        if (kindOfField && size) await this.#build(dataset, size, log)
      } catch (cause) {
        log.error({ event: 'error', task: TASK, dataset: dataset.name, cause: describeError(cause) })
      }
    }
  }

  /** Removes columns and indexes from the catalog, so that no new query relies on them. Missing ones are removed at once. */
  async #retract(dataset: Dataset, names: readonly string[], log: Log): Promise<void> {
    const { datasets, kindOfField } = this.#parts
    const isUsed = (field: string, kind: LayoutKind) =>
      typeOf(dataset.fields.nodeOf(field)) === typeFor(kind) && names.includes(nameOf(field, kind))
    const removed = [...dataset.layouts].flatMap(([field, kind]) => (kindOfField && isUsed(field, kind) ? [] : { field }))
    if (removed.length === 0) return
    await datasets.setLayouts(dataset, removed)
    log.info({ event: 'indexes', dataset: dataset.name, removed: removed.map(({ field }) => field) })
  }

  /** Begins to build the columns and indexes of fields that have none yet, or those that rows lack. */
  async #build(dataset: Dataset, size: TableSize, log: Log): Promise<void> {
    const [{ table, name }, { rows }] = [dataset, size]
    const added: { field: string; path: string; kind: LayoutKind }[] = []
    for (const field of rows < ROWS_MIN ? [] : candidatesOf(dataset)) {
      const kind = await this.#kindFor(dataset, field)
      if (kind !== undefined) added.push({ field: field.name, path: enginePath(field.name), kind })
    }
    if (added.length === 0) return this.#rebuild(dataset, size)
    await this.#tables.alter(table, addLayouts(table, added))
    await this.#parts.datasets.setLayouts(dataset, added)
    await this.#begin(table, added.map(layoutName), rows)
    log.info({ event: 'indexes', dataset: name, events: rows, added: added.map(({ field, kind }) => `${kind} of ${field}`) })
  }

  async #kindFor({ table, indexedFields }: Dataset, field: FieldNode): Promise<LayoutKind | undefined> {
    const type = typeOf(field) ?? 'string'
    const known = this.#parts.kindOfField?.(field.name)
    let usage = known === undefined ? undefined : usageFor(known)
    if (indexedFields.includes(field.name))
      usage = type === 'integer' ? 'amount' : await findUsage(this.#tables.engine, table, enginePath(field.name))
    return usage && KINDS[usage][type]
  }

  /** @param rows to build them from: indexes in parts that have none, columns in all */
  async #begin(table: string, names: readonly string[], rows: number): Promise<void> {
    await this.#tables.alter(table, buildLayouts(table, names))
    this.#notBeforeMs.set(table, performance.now() + (rows * PAUSE_MICROSECONDS_PER_ROW) / 1_000)
  }

  /** Begins to build what rows lack: merged parts have no indexes, and deletions stop builds. */
  async #rebuild(dataset: Dataset, { rows, rowsUnindexed, quietSeconds, isBusy }: TableSize): Promise<void> {
    const { table } = dataset
    const names = namesOf(dataset)
    if (names.length === 0 || isBusy || performance.now() < (this.#notBeforeMs.get(table) ?? 0)) return
    // A table at rest is indexed completely.
    const isDue = rowsUnindexed >= rows * SHARE_MIN || (rowsUnindexed > 0 && quietSeconds >= QUIET_SECONDS)
    const indexes = isDue ? names.filter((name) => !isColumn(name)) : []
    const columns = (await findUnbuilt(this.#tables.engine, table, SHARE_MIN)).filter((name) => names.includes(name))
    if (columns.length + indexes.length > 0)
      await this.#begin(table, [...columns, ...indexes], columns.length > 0 ? rows : rowsUnindexed)
  }
}

/** @returns the fields that have neither a column nor an index, and would have one if the dataset named them */
export function listUnindexed(dataset: Dataset): string[] {
  return candidatesOf(dataset).flatMap(({ name }) => (dataset.indexedFields.includes(name) ? [] : name))
}

/** @returns the fields that have neither a column nor an index, and may have one */
function candidatesOf({ fields, layouts }: Dataset): FieldNode[] {
  const all = [...fields.root.fields()].filter((field) => typeOf(field) !== undefined && !layouts.has(field.name))
  return all.filter(({ name }) => storedText(enginePath(name)) !== undefined)
}

/** Returns the names of the columns and indexes in the catalog. */
function namesOf({ layouts }: Dataset): string[] {
  return [...layouts].map(([field, kind]) => nameOf(field, kind))
}

const nameOf = (field: string, kind: LayoutKind) => layoutName({ path: enginePath(field), kind })

/** @returns the type of a field that has held only texts, or only whole numbers */
const typeOf = ({ types }: Pick<FieldNode, 'types'>) => (['string', 'integer'] as const).find((type) => types === TYPE_BITS[type])
const typeFor = (kind: LayoutKind) => (kind === 'codes' || kind === 'integers' ? 'integer' : 'string')
