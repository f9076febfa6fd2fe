/**
 * The tables of events of which some or all events are missing: what the store found when it opened, the files that statements cannot read,
 * and the tables that hosts lack, because one came back with an empty disk, or somebody dropped them there. They are named in the log and
 * by the health. If another replica has the rows of a table, it is created again; otherwise only the operator knows where they are.
 */
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { Log } from '@deployment-annotations/runtime/log'
import type { Dataset } from './datasets/dataset.ts'
import type { Datasets } from './datasets/datasets.ts'
import type { Engine } from './engine/engine.ts'
import { MissingTableError } from './engine/engine-failures.ts'
import { findDamage } from './reading/engine-errors.ts'
import type { Damage, Store } from './stores/store.ts'
import { findLacking } from './tables/event-tables.ts'

/** A table of which some or all events are missing. */
export interface DamagedTable {
  table: string
  dataset: string
  /** Where the unusable files are, or which hosts lack the table. */
  path: string
  /** Whether the dataset can be neither read nor written. */
  isMissing: boolean
  /** How many of its events are missing, as far as it is known. */
  rows: number
}

/**
 * How long a table is named after it was last found missing on a host. One of the services searches every 30 s; the others name what they
 * meet.
 */
const NAMED_MS = 90_000

export class DamagedTables {
  readonly #tables: Store
  readonly #datasets: Datasets
  readonly #rowsMissing: Damage['rowsMissing']
  /** Where missing tables are, or the hosts that lack them; some may be of datasets that were deleted. */
  readonly #missing: Map<string, { path: string; untilMs: number }>
  /** Where the broken or missing parts of tables are. */
  readonly #broken: Map<string, string>

  /** @param damage what was found when the store opened */
  constructor(tables: Store, datasets: Datasets, { missing, lost, rowsMissing }: Damage) {
    this.#tables = tables
    this.#datasets = datasets
    this.#rowsMissing = rowsMissing
    this.#missing = new Map([...missing].map(([table, path]) => [table, { path, untilMs: Number.POSITIVE_INFINITY }]))
    this.#broken = new Map(lost)
  }

  /** @returns those of existing datasets */
  list(): DamagedTable[] {
    return this.#datasets.list().flatMap(({ name, table }) => {
      const place = this.#placeOf(table)
      const isMissing = place !== undefined
      const path = place ?? this.#broken.get(table)
      return path === undefined ? [] : [{ table, dataset: name, path, isMissing, rows: this.#rowsMissing(table, isMissing) }]
    })
  }

  /**
   * @param sql what was asked of the engine
   * @returns the error for a caller that came upon a damaged file or a missing table, which is noted; other errors as they are
   */
  async explain(error: unknown, sql?: string): Promise<unknown> {
    if (error instanceof MissingTableError) {
      const { table, place } = error.missing
      this.#note(table, this.#placeOf(table) ?? place)
      return this.#datasets.explain(error)
    }
    const damage = findDamage(error, sql)
    if (!damage) return error
    const table = damage.table ?? (await findTable(this.#tables.engine, damage.path).catch(() => undefined))
    if (table === undefined) return error
    this.#broken.set(table, damage.path)
    return describeDamage(this.#datasets.list().find((one) => one.table === table)?.name, error)
  }

  /** @throws whatever the task rejects with, explained */
  async explaining<T>(task: Promise<T>, sql?: string): Promise<T> {
    return task.catch(async (error: unknown) => {
      throw await this.explain(error, sql)
    })
  }

  /** Compares the tables of all hosts with the datasets. */
  async find(log: Log): Promise<void> {
    const { engine, names } = this.#tables
    const known = new Map(this.#datasets.list().flatMap((one) => (one.damagedAt === undefined ? [[one.table, one]] : [])))
    const lacking = await findLacking(engine, names, [...known.keys()])
    for (const table of known.keys()) if (!lacking.has(table)) this.#missing.delete(table)
    for (const [table, on] of lacking) {
      const { name: dataset, state } = known.get(table) as Dataset
      if (state === 'gone') continue
      const hosts = on.map(({ host }) => host).join(', ')
      const message = 'ClickHouse servers lack the table of this dataset'
      if (this.#placeOf(table) !== hosts) log.warn({ event: 'missing-table', message, dataset, table, hosts })
      this.#note(table, hosts)
      if (!(await this.#tables.restore?.(table, on))) continue
      this.#missing.delete(table)
      log.info({ event: 'restored-table', message: 'its rows come from another replica', table, hosts })
    }
  }

  #placeOf(table: string): string | undefined {
    const missing = this.#missing.get(table)
    return missing && missing.untilMs > performance.now() ? missing.path : undefined
  }

  #note(table: string, path: string): void {
    // What was missing when the store opened is named until it closes.
    const untilMs = Math.max(this.#missing.get(table)?.untilMs ?? 0, performance.now() + NAMED_MS)
    this.#missing.set(table, { path, untilMs })
  }
}

function describeDamage(dataset: string | undefined, cause: unknown): ServiceError {
  const of = dataset === undefined ? 'a dataset' : `the dataset ${quoted(dataset)}`
  const message = `the events of ${of} are damaged: a file of theirs cannot be read; the operator of the service has to look at them`
  return new ServiceError('internal', message, { cause })
}

/** @returns the table whose directory is named in a path */
async function findTable(engine: Engine, path: string): Promise<string | undefined> {
  const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(path)?.[0]
  if (uuid === undefined) return undefined
  // The embedded engine does not tell the UUIDs of tables, but their directories, which are named by them.
  const [row] = await engine.select<{ name: string }>(
    'SELECT name FROM system.tables WHERE arrayExists(place -> position(place, {uuid:String}) > 0, data_paths)',
    { uuid },
  )
  return row?.name.replace(/_local$/, '')
}
