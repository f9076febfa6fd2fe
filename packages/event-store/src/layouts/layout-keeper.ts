/**
 * Maintains the columns and indexes of each dataset: it chooses them once the dataset is large enough, builds them from existing
 * events, and drops those that are no longer useful. It is part of upkeep, so that one service does it, a step at a time. Each step may
 * be repeated: after a restart it continues from the state in the engine and the records.
 * Deliberately not here: the choice (choose.ts).
 */
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import type { Dataset } from '../datasets/dataset.ts'
import type { Datasets } from '../datasets/datasets.ts'
import { enginePath, TYPE_BITS } from '../fields/field.ts'
import { type FieldLayout, isColumn, kindOf, type LayoutKind, layoutName, mayHaveLayout } from '../schema/field-layout.ts'
import type { EventTables } from '../tables/event-tables.ts'
import { candidatesOf, fitting } from './choose.ts'
import type { EventLayouts, TableSize } from './event-layouts.ts'
import { type LayoutCost, openLayoutTrial, type SampledField } from './layout-trial.ts'

/** The name of the task in the log. */
export const TASK = 'keep indexes'

/** A scan of fewer events takes only some milliseconds, so that there is nothing to save. */
const ROWS_MIN = 100_000
/** A dataset that has grown by this factor since the last choice is examined again, because its events may differ. */
const GROWTH = 4
/** The size of the sample of newest events, about half a second of work. */
const TRIAL_ROWS = 50_000
/** The most fields that are examined, in the order of their names; a statement over more is slow. */
const FIELDS_MAX = 100
/** This is longer than a query may run that was compiled while the column was still in the catalog. */
const DROP_AFTER_MS = 600_000

interface LayoutKeeperParts {
  layouts: EventLayouts
  tables: EventTables
  datasets: Datasets
  /** Whether there are any columns and indexes at all. */
  isOn: boolean
}

export class LayoutKeeper {
  readonly #parts: LayoutKeeperParts
  /** How many rows each table had at its last choice. */
  readonly #examinedRows = new Map<string, number>()
  /** When each column or index without a record was first seen, by table and name. */
  readonly #uselessSinceMs = new Map<string, number>()
  readonly #builds: Builds

  constructor(parts: LayoutKeeperParts) {
    this.#parts = parts
    this.#builds = new Builds(parts.layouts)
  }

  /** Examines at most one dataset each time, because that takes longest. */
  async upkeep(log: Log): Promise<void> {
    const { layouts, datasets, isOn } = this.#parts
    const [sizes, had] = [await layouts.measure(), await layouts.list()]
    let hasExamined = false
    for (const dataset of datasets.list()) {
      if (dataset.damagedAt !== undefined) continue
      const names = had.get(dataset.table) ?? []
      const size = sizes.get(dataset.table) ?? { rows: 0, rowsUnindexed: 0, quietSeconds: 0 }
      try {
        await this.#retract(dataset, names, log)
        await this.#drop(dataset, names)
        if (!isOn) continue
        if (!hasExamined && this.#isDue(dataset, size)) {
          hasExamined = true
          await this.#examine(dataset, size, log)
        } else await this.#builds.goOn(dataset.table, namesOf(dataset), size)
      } catch (cause) {
        log.error({ event: 'error', task: TASK, dataset: dataset.name, cause: describeError(cause) })
      }
    }
  }

  /** Removes columns and indexes from the catalog, so that no new query relies on them. Missing ones are removed at once. */
  async #retract(dataset: Dataset, names: readonly string[], log: Log): Promise<void> {
    const { datasets, isOn } = this.#parts
    const useless = [...dataset.layouts].filter(
      ([field, kind]) =>
        !isOn || !holds(dataset, field, typeFor(kind)) || !names.includes(layoutName({ path: enginePath(field), kind })),
    )
    if (useless.length === 0) return
    const removed = useless.map(([field]) => field)
    await datasets.setLayouts(dataset, removed.map(without))
    log.info({ event: 'indexes', dataset: dataset.name, removed })
  }

  async #drop(dataset: Dataset, names: readonly string[]): Promise<void> {
    const used = new Set(namesOf(dataset))
    const nowMs = performance.now()
    for (const name of names) {
      const key = `${dataset.table} ${name}`
      if (used.has(name)) {
        this.#uselessSinceMs.delete(key)
        continue
      }
      const sinceMs = this.#uselessSinceMs.get(key) ?? nowMs
      this.#uselessSinceMs.set(key, sinceMs)
      // A build that cannot succeed is stopped, because it would be tried without end.
      if (nowMs - sinceMs < DROP_AFTER_MS || (await this.#parts.layouts.isBuilding(dataset.table))) continue
      await this.#parts.layouts.drop(dataset.table, name)
      this.#uselessSinceMs.delete(key)
    }
  }

  #isDue({ table, layouts }: Dataset, { rows }: TableSize): boolean {
    // A choice from before a restart is kept.
    if (!this.#examinedRows.has(table) && layouts.size > 0) this.#examinedRows.set(table, rows)
    return rows >= Math.max(ROWS_MIN, (this.#examinedRows.get(table) ?? 0) * GROWTH)
  }

  /** Chooses again, and builds the missing columns and indexes. */
  async #examine(dataset: Dataset, size: TableSize, log: Log): Promise<void> {
    const { layouts, datasets } = this.#parts
    this.#examinedRows.set(dataset.table, size.rows)
    const { chosen, leftOut } = await this.#choose(dataset, log)
    const added = chosen.filter(({ field, layout }) => dataset.layouts.get(field) !== layout.kind)
    const gone = [...dataset.layouts.keys()].filter((known) => !chosen.some(({ field }) => field === known))
    if (added.length + gone.length + leftOut.length === 0) return
    for (const { layout } of added) await layouts.add(dataset.table, layout)
    if (added.length + gone.length > 0)
      await datasets.setLayouts(dataset, [...added.map(({ field, layout: { kind } }) => ({ field, kind })), ...gone.map(without)])
    if (added.length > 0) await this.#builds.begin(dataset.table, added.map(nameOf), size.rows)
    log.info({
      event: 'indexes',
      dataset: dataset.name,
      events: size.rows,
      added: added.map(({ field, layout, bytes }) => `${layout.kind} of ${field}, ${bytes.toFixed(1)} bytes an event`),
      ...(gone.length > 0 && { removed: gone }),
      ...(leftOut.length > 0 && { leftOut }),
    })
  }

  async #choose(dataset: Dataset, log: Log): Promise<{ chosen: Chosen[]; leftOut: string[] }> {
    const sampled = fieldsOf(dataset)
    if (sampled.length === 0) return { chosen: [], leftOut: [] }
    const fields = new Map(sampled.map(({ field, path }) => [path, field]))
    await using trial = await openLayoutTrial(this.#parts.tables, dataset.table, TRIAL_ROWS)
    const costs: LayoutCost[] = []
    const { candidates, leftOut } = candidatesOf(await trial.describe(sampled), trial.rows)
    for (const layout of candidates) {
      try {
        costs.push(await trial.measure(layout))
      } catch (cause) {
        // An older server may not support this kind of index.
        log.warn({ event: 'warning', task: TASK, dataset: dataset.name, message: describeError(cause) })
      }
    }
    const fieldOf = ({ path }: FieldLayout) => fields.get(path) as string
    const fit = fitting(costs, trial.bytes)
    return {
      chosen: fit.chosen.map((cost) => ({ ...cost, field: fieldOf(cost.layout) })),
      leftOut: [...fit.leftOut, ...leftOut].map(({ layout, reason }) => `${layout.kind} of ${fieldOf(layout)}: ${reason}`),
    }
  }
}

interface Chosen extends LayoutCost {
  field: string
}

/** The record of a field without a column or index. */
const without = (field: string) => ({ field, kind: '' })
const nameOf = ({ layout }: Chosen): string => layoutName(layout)

/** Returns the names of the columns and indexes in the catalog. */
function namesOf({ layouts }: Dataset): string[] {
  return [...layouts].map(([field, kind]) => layoutName({ path: enginePath(field), kind }))
}

/** Returns the fields that have held only texts, or only whole numbers. */
function fieldsOf(dataset: Dataset): (SampledField & { field: string })[] {
  return [...dataset.fields.root.fields()]
    .map(({ name }) => name)
    .sort()
    .flatMap((field) => {
      const type = TYPES.find((one) => holds(dataset, field, one))
      const path = enginePath(field)
      return type !== undefined && mayHaveLayout(path) ? [{ field, path, type }] : []
    })
    .slice(0, FIELDS_MAX)
}

const TYPES = ['string', 'integer'] as const

const typeFor = (kind: LayoutKind) => (kind === 'codes' ? 'integer' : 'string')

/** Whether a field has held only values of this type. */
function holds({ fields }: Dataset, field: string, type: SampledField['type']): boolean {
  return fields.nodeOf(field).types === TYPE_BITS[type]
}

/** A smaller share of rows is scanned quickly enough; above it, columns are built again. */
const SHARE_MIN = 0.1
/** Building takes at most one part in this many of the time. */
const PAUSE_FACTOR = 20
/** The measured time for an index of words; everything else takes a tenth of it. */
const MICROSECONDS_PER_ROW = 3
/** A table without new rows for this long is at rest and is indexed completely. */
const QUIET_SECONDS = 45

class Builds {
  readonly #layouts: EventLayouts
  /** When the next build of a table may begin. */
  readonly #notBeforeMs = new Map<string, number>()

  constructor(layouts: EventLayouts) {
    this.#layouts = layouts
  }

  /** @param rows to build it from */
  async begin(table: string, names: readonly string[], rows: number): Promise<void> {
    await this.#layouts.build(table, names)
    this.#notBeforeMs.set(table, performance.now() + (rows * MICROSECONDS_PER_ROW * PAUSE_FACTOR) / 1_000)
  }

  /** @param names the columns and indexes of the table */
  async goOn(table: string, names: readonly string[], { rows, rowsUnindexed, quietSeconds }: TableSize): Promise<void> {
    const notBeforeMs = this.#notBeforeMs.get(table)
    if (names.length === 0 || rows === 0 || (notBeforeMs !== undefined && performance.now() < notBeforeMs)) return
    const indexes = names.filter((name) => !isColumn(kindOf(name)))
    const isDue = rowsUnindexed >= rows * SHARE_MIN || (rowsUnindexed > 0 && quietSeconds >= QUIET_SECONDS)
    // Inserts and merges fill columns; older rows lack them if a build was stopped.
    const missing = await this.#layouts.missing(table)
    const columns = names.filter((name) => (missing.get(name) ?? 0) >= SHARE_MIN)
    const wanted = [...columns, ...(indexes.length > 0 && isDue ? indexes : [])]
    if (wanted.length === 0) return
    if (!(await this.#layouts.isBuilding(table))) await this.begin(table, wanted, columns.length > 0 ? rows : rowsUnindexed)
  }
}
