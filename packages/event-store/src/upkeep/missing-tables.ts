/**
 * The tables of existing datasets that a host lacks, because it came back with an empty disk, or somebody dropped them there. They are
 * named in the log and by the health until the host has them again. If another replica has its rows, the table is created again;
 * otherwise only the operator knows where they are.
 */
import type { Log } from '@deployment-annotations/runtime/log'
import type { Datasets } from '../datasets/datasets.ts'
import { type EventTables, findLacking } from '../tables/event-tables.ts'

/** How long a table is named after it was last found missing. One of the services searches every 30 s; the others name what they meet. */
const NAMED_MS = 90_000

export class MissingTables {
  readonly #tables: EventTables
  readonly #datasets: Datasets
  readonly #found = new Map<string, { place: string; untilMs: number }>()

  constructor(tables: EventTables, datasets: Datasets) {
    this.#tables = tables
    this.#datasets = datasets
  }

  /** The hosts that lack a table, in words, by the table; some may be of datasets that were deleted. */
  get places(): ReadonlyMap<string, string> {
    const nowMs = performance.now()
    for (const [table, { untilMs }] of this.#found) if (untilMs < nowMs) this.#found.delete(table)
    return new Map([...this.#found].map(([table, { place }]) => [table, place]))
  }

  /** Called when a statement has come upon a missing table. */
  note(table: string, place: string): void {
    this.#found.set(table, { place: this.#found.get(table)?.place ?? place, untilMs: performance.now() + NAMED_MS })
  }

  /** Compares the tables of all hosts with the datasets. */
  async find(log: Log): Promise<void> {
    const { engine, names } = this.#tables
    const known = this.#datasets.list().filter(({ damagedAt }) => damagedAt === undefined)
    const tables = known.map(({ table }) => table)
    const lacking = await findLacking(engine, names, tables)
    const before = this.places
    this.#found.clear()
    for (const { name, table, state } of known) {
      const hosts = lacking.get(table) ?? []
      if (hosts.length === 0 || state === 'gone') continue
      const place = hosts.map(({ host }) => host).join(', ')
      this.note(table, place)
      const message = 'ClickHouse servers lack the table of this dataset'
      if (before.get(table) !== place) log.warn({ event: 'missing-table', message, dataset: name, table, hosts: place })
    }
    for (const [table, hosts] of this.places) {
      if (!(await this.#tables.restore?.(table, lacking.get(table) ?? []))) continue
      this.#found.delete(table)
      log.info({ event: 'restored-table', message: 'its rows come from another replica', table, hosts })
    }
  }
}
