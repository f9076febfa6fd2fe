/**
 * Maintains the columns and indexes of each dataset: it gives them to fields with usual names and to those that the dataset names,
 * builds them from existing events, and drops those that no longer fit their field. It is part of upkeep, so that one service does it, a
 * step at a time. Each step may be repeated: after a restart it continues from the state in the engine and the records.
 * Deliberately not here: what suits a field (field-usage.ts).
 */
import { storedText } from '@deployment-annotations/apl/sql/field'
import { readLayoutChanges, setLayouts } from '@deployment-annotations/records/datasets/layout-records'
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import type { Dataset } from '../datasets/dataset.ts'
import { SHRINK_RESERVE_BYTES } from '../disk/free-space.ts'
import { enginePath, TYPE_BITS } from '../fields/field.ts'
import type { FieldNode } from '../fields/field-tree.ts'
import { addLayouts, buildLayouts, dropLayout, isColumn, type LayoutKind, layoutName } from '../schema/field-layout.ts'
import type { EventTables } from '../tables/event-tables.ts'
import { Sightings, type UpkeepParts, type UpkeepTasks } from '../upkeep/upkeep.ts'
import { findLost, findUnbuilt, findUsage, isBuilding, listLayouts, measureTables, type TableSize } from './event-layouts.ts'
import { createUsageOf, KINDS } from './field-usage.ts'

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
/** A table without new rows for this long is at rest and is indexed completely. */
const QUIET_SECONDS = 45

interface IndexedTables extends Pick<EventTables, 'engine' | 'alter'> {
  /** As that of a store. */
  prepare(task: () => Promise<void>): Promise<void>
}

/**
 * Opens the task. Call this before the first query, because queries must not name missing columns: the records forget those that the
 * tables lack, for example after the events were restored from another backup.
 */
export async function openIndexes(tables: IndexedTables, parts: UpkeepParts): Promise<UpkeepTasks> {
  const { records } = parts
  await tables.prepare(async () => {
    for (const { table, field } of await findLost(tables.engine, await readLayoutChanges(records.read, -1n)))
      await records.transaction((db) => setLayouts(db, table, [{ field }]))
  })
  const keeper = new LayoutKeeper(tables, parts)
  return { [TASK]: (log) => keeper.upkeep(log) }
}

class LayoutKeeper {
  readonly #tables: IndexedTables
  readonly #parts: UpkeepParts
  readonly #usageOf: ReturnType<typeof createUsageOf>
  /** Columns and indexes without a record. */
  readonly #useless = new Sightings()
  /** When the next build of a table may begin. */
  readonly #notBeforeMs = new Map<string, number>()

  constructor(tables: IndexedTables, parts: UpkeepParts) {
    this.#tables = tables
    this.#parts = parts
    this.#usageOf = createUsageOf(parts.usualNames ?? {})
  }

  async upkeep(log: Log): Promise<void> {
    const { datasets, usualNames } = this.#parts
    const { engine } = this.#tables
    const [sizes, had] = [await measureTables(engine), await listLayouts(engine)]
    const useless = datasets.list().flatMap((dataset) => {
      const used = namesOf(dataset)
      return (had.get(dataset.table) ?? []).filter((name) => !used.includes(name)).map((name) => `${dataset.table} ${name}`)
    })
    const stale = this.#useless.findStale(useless, DROP_AFTER_MS)
    for (const dataset of datasets.list()) {
      if (dataset.damagedAt !== undefined) continue
      const { table } = dataset
      const names = had.get(table) ?? []
      const size = sizes.get(table)
      try {
        await this.#retract(dataset, names, log)
        // The build of a column that is dropped cannot succeed, and would be tried without end.
        for (const name of names.filter((one) => stale.includes(`${table} ${one}`)))
          if (!(await isBuilding(engine, table))) await this.#tables.alter(table, dropLayout(table, name), SHRINK_RESERVE_BYTES)
        if (usualNames && size && !(await this.#add(dataset, size, log))) await this.#goOn(dataset, size)
      } catch (cause) {
        log.error({ event: 'error', task: TASK, dataset: dataset.name, cause: describeError(cause) })
      }
    }
  }

  /** Removes columns and indexes from the catalog, so that no new query relies on them. Missing ones are removed at once. */
  async #retract(dataset: Dataset, names: readonly string[], log: Log): Promise<void> {
    const { datasets, usualNames } = this.#parts
    const useless = [...dataset.layouts].filter(
      ([field, kind]) =>
        !usualNames ||
        typeOf(dataset.fields.nodeOf(field)) !== typeFor(kind) ||
        !names.includes(layoutName({ path: enginePath(field), kind })),
    )
    if (useless.length === 0) return
    const removed = useless.map(([field]) => ({ field }))
    await datasets.setLayouts(dataset, removed)
    log.info({ event: 'indexes', dataset: dataset.name, removed: removed.map(({ field }) => field) })
  }

  /** @returns whether any were missing */
  async #add(dataset: Dataset, { rows }: TableSize, log: Log): Promise<boolean> {
    const { table, name } = dataset
    const added: { field: string; path: string; kind: LayoutKind }[] = []
    for (const field of rows < ROWS_MIN ? [] : dataset.fields.root.fields()) {
      const kind = dataset.layouts.has(field.name) ? undefined : await this.#kindFor(dataset, field)
      if (kind !== undefined) added.push({ field: field.name, path: enginePath(field.name), kind })
    }
    if (added.length === 0) return false
    await this.#tables.alter(table, addLayouts(table, added))
    await this.#parts.datasets.setLayouts(dataset, added)
    await this.#build(table, added.map(layoutName), rows)
    log.info({ event: 'indexes', dataset: name, events: rows, added: added.map(({ field, kind }) => `${kind} of ${field}`) })
    return true
  }

  async #kindFor({ table, indexedFields }: Dataset, field: FieldNode): Promise<LayoutKind | undefined> {
    const [type, path] = [typeOf(field), enginePath(field.name)]
    if (type === undefined || storedText(path) === undefined) return undefined
    if (indexedFields.includes(field.name))
      return KINDS[type === 'integer' ? 'amount' : await findUsage(this.#tables.engine, table, path)][type]
    const usage = this.#usageOf(field.name)
    return usage && KINDS[usage][type]
  }

  /** @param rows to build them from: indexes in parts that have none, columns in all */
  async #build(table: string, names: readonly string[], rows: number): Promise<void> {
    await this.#tables.alter(table, buildLayouts(table, names))
    this.#notBeforeMs.set(table, performance.now() + (rows * PAUSE_MICROSECONDS_PER_ROW) / 1_000)
  }

  /** Builds what rows lack: merged parts have no indexes, and deletions stop builds. */
  async #goOn(dataset: Dataset, { rows, rowsUnindexed, quietSeconds }: TableSize): Promise<void> {
    const { table } = dataset
    const names = namesOf(dataset)
    if (names.length === 0 || performance.now() < (this.#notBeforeMs.get(table) ?? 0)) return
    const isDue = rowsUnindexed >= rows * SHARE_MIN || (rowsUnindexed > 0 && quietSeconds >= QUIET_SECONDS)
    const indexes = isDue ? names.filter((name) => !isColumn(name)) : []
    const columns = (await findUnbuilt(this.#tables.engine, table, SHARE_MIN)).filter((name) => names.includes(name))
    if (columns.length + indexes.length === 0 || (await isBuilding(this.#tables.engine, table))) return
    await this.#build(table, [...columns, ...indexes], columns.length > 0 ? rows : rowsUnindexed)
  }
}

/** @returns the fields that have neither a column nor an index, and would have one if the dataset named them */
export function listUnindexed({ fields, layouts, indexedFields }: Dataset): string[] {
  const all = [...fields.root.fields()].filter(
    (field) => typeOf(field) !== undefined && storedText(enginePath(field.name)) !== undefined,
  )
  return all.map(({ name }) => name).filter((name) => !layouts.has(name) && !indexedFields.includes(name))
}

/** Returns the names of the columns and indexes in the catalog. */
function namesOf({ layouts }: Dataset): string[] {
  return [...layouts].map(([field, kind]) => layoutName({ path: enginePath(field), kind }))
}

/** @returns the type of a field that has held only texts, or only whole numbers */
const typeOf = ({ types }: Pick<FieldNode, 'types'>) => (['string', 'integer'] as const).find((type) => types === TYPE_BITS[type])
const typeFor = (kind: LayoutKind) => (kind === 'codes' || kind === 'integers' ? 'integer' : 'string')
