/**
 * Keeps beside the events of each dataset what makes its queries quicker: chooses it once the dataset has some size, has it made of
 * the events that are there, and takes away what is no longer of use. Part of upkeep, so one service does it, a step at a time, and
 * each step may be done again: after a restart it goes on where the engine and the records say it is.
 * Deliberately not here: what is worth it (choose.ts).
 */
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import type { Dataset } from '../datasets/dataset.ts'
import type { Datasets } from '../datasets/datasets.ts'
import { enginePath, TYPE_BITS } from '../fields/field.ts'
import { isColumn, kindOf, type LayoutKind, layoutName, mayHaveLayout } from '../schema/field-layout.ts'
import { candidatesOf, fitting } from './choose.ts'
import type { EventLayouts, TableSize } from './event-layouts.ts'
import type { LayoutCost, LayoutTrial, SampledField } from './layout-trial.ts'

/** As the log names it. */
export const TASK = 'keep indexes'

/** Of so many events a scan takes some milliseconds, and there is nothing to save. */
const ROWS_MIN = 100_000
/** A dataset that is so many times as large as when it was looked at is looked at again: its events may be others. */
const GROWTH = 4
/** The newest events that are tried: half a second of work. */
const TRIAL_ROWS = 50_000
/** Fields that are looked at, in the order of their names; a statement over more is slow. */
const FIELDS_MAX = 100
/** Longer than a query may run that was compiled when the column was still in the catalogue. */
const DROP_AFTER_MS = 600_000

interface LayoutKeeperParts {
  layouts: EventLayouts
  /** Copies the newest rows of a table aside. */
  openTrial(table: string, rows: number): Promise<LayoutTrial>
  datasets: Datasets
  /** Whether anything is kept at all. */
  isOn: boolean
}

export class LayoutKeeper {
  readonly #parts: LayoutKeeperParts
  /** How many rows each table had when it was looked at. */
  readonly #looked = new Map<string, number>()
  /** When each thing was first seen that no record has, by table and name. */
  readonly #uselessSinceMs = new Map<string, number>()
  readonly #builds: Builds

  constructor(parts: LayoutKeeperParts) {
    this.#parts = parts
    this.#builds = new Builds(parts.layouts)
  }

  /** One dataset at most is looked at each time, because that takes longest. */
  async upkeep(log: Log): Promise<void> {
    const { layouts, datasets, isOn } = this.#parts
    const [sizes, had] = [await layouts.measure(), await layouts.list()]
    let hasLooked = false
    for (const dataset of datasets.list()) {
      if (dataset.damagedAt !== undefined) continue
      const names = had.get(dataset.table) ?? []
      const size = sizes.get(dataset.table) ?? { rows: 0, rowsUnindexed: 0, quietSeconds: 0 }
      try {
        await this.#retract(dataset, names, log)
        await this.#drop(dataset, names)
        if (!isOn) continue
        if (!hasLooked && this.#isDue(dataset, size)) {
          hasLooked = true
          await this.#look(dataset, size, log)
        } else await this.#builds.goOn(dataset.table, namesOf(dataset), size)
      } catch (cause) {
        log.error({ event: 'error', task: TASK, dataset: dataset.name, cause: describeError(cause) })
      }
    }
  }

  /** From what the catalogue says no query follows any more that it is there; what is not there goes at once. */
  async #retract(dataset: Dataset, names: readonly string[], log: Log): Promise<void> {
    const { datasets, isOn } = this.#parts
    const useless = [...dataset.layouts].filter(
      ([field, kind]) =>
        !isOn || !holds(dataset, field, typeFor(kind)) || !names.includes(layoutName({ path: enginePath(field), kind })),
    )
    if (useless.length === 0) return
    await datasets.setLayouts(
      dataset,
      useless.map(([field]) => ({ field, kind: '' })),
    )
    log.info({ event: 'indexes', dataset: dataset.name, removed: useless.map(([field]) => field) })
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
      // What is being made could not be, and would be tried without end.
      if (nowMs - sinceMs < DROP_AFTER_MS || (await this.#parts.layouts.isBuilding(dataset.table))) continue
      await this.#parts.layouts.drop(dataset.table, name)
      this.#uselessSinceMs.delete(key)
    }
  }

  #isDue({ table, layouts }: Dataset, { rows }: TableSize): boolean {
    // What was chosen before a restart stands.
    if (!this.#looked.has(table) && layouts.size > 0) this.#looked.set(table, rows)
    return rows >= Math.max(ROWS_MIN, (this.#looked.get(table) ?? 0) * GROWTH)
  }

  /** Chooses anew, and has what the dataset does not have yet made. */
  async #look(dataset: Dataset, size: TableSize, log: Log): Promise<void> {
    const { layouts, datasets } = this.#parts
    this.#looked.set(dataset.table, size.rows)
    const chosen = await this.#choose(dataset, log)
    const added = chosen.filter(({ field, layout }) => dataset.layouts.get(field) !== layout.kind)
    const gone = [...dataset.layouts.keys()].filter((known) => !chosen.some(({ field }) => field === known))
    if (added.length + gone.length === 0) return
    for (const { layout } of added) await layouts.add(dataset.table, layout)
    await datasets.setLayouts(dataset, [
      ...added.map(({ field, layout: { kind } }) => ({ field, kind })),
      ...gone.map((field) => ({ field, kind: '' })),
    ])
    if (added.length > 0) await this.#builds.begin(dataset.table, added.map(nameOf), size.rows)
    log.info({
      event: 'indexes',
      dataset: dataset.name,
      events: size.rows,
      added: added.map(({ field, layout, bytes }) => `${layout.kind} of ${field}, ${bytes.toFixed(1)} bytes an event`),
      ...(gone.length > 0 && { removed: gone }),
    })
  }

  async #choose(dataset: Dataset, log: Log): Promise<Chosen[]> {
    const sampled = fieldsOf(dataset)
    if (sampled.length === 0) return []
    const fields = new Map(sampled.map(({ field, path }) => [path, field]))
    await using trial = await this.#parts.openTrial(dataset.table, TRIAL_ROWS)
    const costs: LayoutCost[] = []
    for (const layout of candidatesOf(await trial.describe(sampled), trial.rows)) {
      try {
        costs.push(await trial.measure(layout))
      } catch (cause) {
        // An older server may not know the kind of index.
        log.warn({ event: 'warning', task: TASK, dataset: dataset.name, message: describeError(cause) })
      }
    }
    return fitting(costs, trial.bytes).map((cost) => ({ ...cost, field: fields.get(cost.layout.path) as string }))
  }
}

interface Chosen extends LayoutCost {
  field: string
}

const nameOf = ({ layout }: Chosen): string => layoutName(layout)

/** Names of what the catalogue says a table has. */
function namesOf({ layouts }: Dataset): string[] {
  return [...layouts].map(([field, kind]) => layoutName({ path: enginePath(field), kind }))
}

/** Those that have held nothing but texts, or nothing but whole numbers. */
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

/** Whether a field has held values of this type alone. */
function holds({ fields }: Dataset, field: string, type: SampledField['type']): boolean {
  return fields.nodeOf(field).types === TYPE_BITS[type]
}

/** A smaller share of the rows is searched soon enough without; so many times ten columns are made again. */
const SHARE_MIN = 0.1
/** What making takes of the time that passes is one part in so many. */
const REST = 20
/** Measured, for an index of words; what else there is takes a tenth of it. */
const MICROSECONDS_PER_ROW = 3
/** A table to which nothing was added for so long is at rest, and all of it is indexed. */
const QUIET_SECONDS = 45

class Builds {
  readonly #layouts: EventLayouts
  /** When the next one of a table may begin. */
  readonly #notBeforeMs = new Map<string, number>()

  constructor(layouts: EventLayouts) {
    this.#layouts = layouts
  }

  /** @param rows that it has to be made of */
  async begin(table: string, names: readonly string[], rows: number): Promise<void> {
    await this.#layouts.build(table, names)
    this.#notBeforeMs.set(table, performance.now() + (rows * MICROSECONDS_PER_ROW * REST) / 1_000)
  }

  /** @param names of what the table has */
  async goOn(table: string, names: readonly string[], { rows, rowsUnindexed, quietSeconds }: TableSize): Promise<void> {
    const notBeforeMs = this.#notBeforeMs.get(table)
    if (names.length === 0 || rows === 0 || (notBeforeMs !== undefined && performance.now() < notBeforeMs)) return
    const indexes = names.filter((name) => !isColumn(kindOf(name)))
    const isDue = rowsUnindexed >= rows * SHARE_MIN || (rowsUnindexed > 0 && quietSeconds >= QUIET_SECONDS)
    // Columns come with inserts and merges; what was there before lacks them where making them was ended.
    const columns = await this.#missing(table, names)
    const wanted = [...columns, ...(indexes.length > 0 && isDue ? indexes : [])]
    if (wanted.length === 0) return
    if (!(await this.#layouts.isBuilding(table))) await this.begin(table, wanted, columns.length > 0 ? rows : rowsUnindexed)
  }

  async #missing(table: string, names: readonly string[]): Promise<string[]> {
    const missing = await this.#layouts.missing(table)
    return names.filter((name) => (missing.get(name) ?? 0) >= SHARE_MIN)
  }
}
