/**
 * Adds, builds and drops the columns and indexes of event tables.
 * Deliberately not here: the statements (schema/field-layout.ts), and their benefit, which layout-trial.ts measures.
 */
import type { StoredLayout } from '@deployment-annotations/records/datasets/layout-records'
import { GROWTH_RESERVE_BYTES, SHRINK_RESERVE_BYTES } from '../disk/free-space.ts'
import type { Engine } from '../engine/engine.ts'
import { enginePath } from '../fields/field.ts'
import {
  addLayout,
  buildLayouts,
  dropLayout,
  type FieldLayout,
  LAYOUT_NAMES,
  type LayoutKind,
  layoutName,
} from '../schema/field-layout.ts'

export interface TableSize {
  rows: number
  /** Rows in parts that have no index yet. */
  rowsUnindexed: number
  /** How long ago its parts last changed. */
  quietSeconds: number
}

type RecordedLayout = StoredLayout & { table: string }

export class EventLayouts {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** @returns the size of each table that has rows, by its name */
  async measure(): Promise<Map<string, TableSize>> {
    const found = await this.#engine.select<TableSize & { table: string }>(
      `SELECT table, toFloat64(sum(parts.rows)) AS rows, toFloat64(sumIf(parts.rows, secondary_indices_compressed_bytes = 0)) AS rowsUnindexed,
          toInt32(now() - max(modification_time)) AS quietSeconds
        FROM system.parts AS parts WHERE active AND database = currentDatabase() AND startsWith(table, 'events_') GROUP BY table`,
    )
    return new Map(found.map((size) => [size.table, size]))
  }

  /** @returns the names of the columns and indexes of each table */
  async list(): Promise<Map<string, string[]>> {
    const found = await this.#engine.select<{ table: string; names: string[] }>(
      `SELECT table, groupArray(name) AS names FROM (
          SELECT table, name FROM system.columns WHERE database = currentDatabase() AND match(name, {name:String})
          UNION ALL SELECT table, name FROM system.data_skipping_indices WHERE database = currentDatabase() AND match(name, {name:String})
        ) GROUP BY table`,
      { name: LAYOUT_NAMES },
    )
    return new Map(found.map(({ table, names }) => [table, names]))
  }

  /** @returns those of the recorded columns and indexes that the tables lack */
  async findLost(recorded: readonly RecordedLayout[]): Promise<RecordedLayout[]> {
    const wanted = recorded.filter(({ kind }) => kind !== '')
    if (wanted.length === 0) return []
    const there = await this.list()
    return wanted.filter(
      ({ table, field, kind }) => !there.get(table)?.includes(layoutName({ path: enginePath(field), kind: kind as LayoutKind })),
    )
  }

  /** @returns the share of rows that lack a column, by the column's name */
  async missing(table: string): Promise<Map<string, number>> {
    const rows = await this.#engine.select<{ name: string; share: number }>(
      `SELECT name, 1 - stored / (SELECT sum(rows) FROM system.parts WHERE active AND database = currentDatabase() AND table = {table:String}) AS share
        FROM (SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String} AND match(name, {name:String})) AS named
        LEFT JOIN (SELECT column, sum(rows) AS stored FROM system.parts_columns
          WHERE active AND database = currentDatabase() AND table = {table:String} GROUP BY column) AS parts ON named.name = parts.column`,
      { table, name: LAYOUT_NAMES },
    )
    return new Map(rows.map(({ name, share }) => [name, share]))
  }

  /** Resolves when new rows have it, and queries may name it. */
  async add(table: string, layout: FieldLayout): Promise<void> {
    await this.change(table, addLayout(table, layout))
  }

  /** Begins to build them from existing rows: indexes of parts that have none, columns of all parts. */
  async build(table: string, names: readonly string[]): Promise<void> {
    await this.change(table, [buildLayouts(table, names)])
  }

  /** Whether building is still under way. */
  async isBuilding(table: string): Promise<boolean> {
    const found = await this.#engine.select(
      'SELECT 1 FROM system.mutations WHERE database = currentDatabase() AND table = {table:String} AND NOT is_done LIMIT 1',
      { table },
    )
    return found.length > 0
  }

  async drop(table: string, name: string): Promise<void> {
    await this.change(table, [dropLayout(table, name)], SHRINK_RESERVE_BYTES)
  }

  /** @param _reserveBytes the room on the disk that is left free, if the disk is that of this process */
  protected async change(_table: string, statements: string[], _reserveBytes = GROWTH_RESERVE_BYTES): Promise<void> {
    for (const statement of statements) await this.#engine.run(statement)
  }
}
