/**
 * What tables of events keep of fields beside the events: added, made of the rows that are there, and taken away.
 * Deliberately not here: the statements (schema/field-layout.ts), and what is worth it, which layout-trial.ts finds out.
 */
import type { Engine } from '../engine/engine.ts'
import {
  addLayout,
  buildLayouts,
  DICTIONARIES_OF_NUMBERS,
  dropLayout,
  type FieldLayout,
  LAYOUT_NAMES,
} from '../schema/field-layout.ts'

export interface TableSize {
  rows: number
  /** In parts that have no index yet. */
  rowsUnindexed: number
  /** How long ago its parts last changed. */
  quietSeconds: number
}

export interface EventLayouts {
  /** Of each table that has rows. */
  measure(): Promise<Map<string, TableSize>>
  /** Names of what each table has, by table. */
  list(): Promise<Map<string, string[]>>
  /** Names of its columns with the share of rows that are stored without them. */
  missing(table: string): Promise<Map<string, number>>
  /** Resolves when it is there for new rows, and can be named in queries. */
  add(table: string, layout: FieldLayout): Promise<void>
  /** Begins to make them of the rows that are there: indexes of parts that have none, columns of all. */
  build(table: string, names: readonly string[]): Promise<void>
  /** Whether some of that is not done yet. */
  isBuilding(table: string): Promise<boolean>
  drop(table: string, name: string): Promise<void>
}

export function createEventLayouts(engine: Engine): EventLayouts {
  return {
    async measure() {
      const found = await engine.select<{ table: string; rows: string; unindexed: string; quiet: number }>(
        `SELECT table, toString(sum(parts.rows)) AS rows, toString(sumIf(parts.rows, secondary_indices_compressed_bytes = 0)) AS unindexed,
            toInt32(now() - max(modification_time)) AS quiet
          FROM system.parts AS parts WHERE active AND database = currentDatabase() AND startsWith(table, 'events_') GROUP BY table`,
      )
      return new Map(
        found.map(({ table, rows, unindexed, quiet }) => [
          table,
          { rows: Number(rows), rowsUnindexed: Number(unindexed), quietSeconds: quiet },
        ]),
      )
    },

    async list() {
      const found = await engine.select<{ table: string; names: string[] }>(
        `SELECT table, groupArray(name) AS names FROM (
            SELECT table, name FROM system.columns WHERE database = currentDatabase() AND match(name, {name:String})
            UNION ALL SELECT table, name FROM system.data_skipping_indices WHERE database = currentDatabase() AND match(name, {name:String})
          ) GROUP BY table`,
        { name: LAYOUT_NAMES },
      )
      return new Map(found.map(({ table, names }) => [table, names]))
    },

    async missing(table) {
      const rows = await engine.select<{ name: string; share: number }>(
        `SELECT name, 1 - stored / (SELECT sum(rows) FROM system.parts WHERE active AND database = currentDatabase() AND table = {table:String}) AS share
          FROM (SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String} AND match(name, {name:String})) AS named
          LEFT JOIN (SELECT column, sum(rows) AS stored FROM system.parts_columns
            WHERE active AND database = currentDatabase() AND table = {table:String} GROUP BY column) AS parts ON named.name = parts.column`,
        { table, name: LAYOUT_NAMES },
      )
      return new Map(rows.map(({ name, share }) => [name, share]))
    },

    async add(table, layout) {
      for (const statement of addLayout(table, layout)) await engine.run(statement)
    },

    build: (table, names) => engine.run(buildLayouts(table, names)),

    async isBuilding(table) {
      const found = await engine.select(
        'SELECT 1 FROM system.mutations WHERE database = currentDatabase() AND table = {table:String} AND NOT is_done LIMIT 1',
        { table },
      )
      return found.length > 0
    },

    drop: (table, name) => engine.run(dropLayout(table, name)),
  }
}

/** Gives one table the columns of another, without which the rows of the one cannot become rows of the other as they are. */
export async function alignColumns(engine: Engine, table: string, like: string): Promise<void> {
  const columns = await engine.select<{ name: string; type: string; expression: string }>(
    `SELECT name, type, default_expression AS expression FROM system.columns
      WHERE database = currentDatabase() AND table = {like:String} AND match(name, {name:String})
        AND name NOT IN (SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String})`,
    { like, table, name: LAYOUT_NAMES },
  )
  if (columns.length === 0) return
  const additions = columns.map(({ name, type, expression }) => `ADD COLUMN ${name} ${type} MATERIALIZED ${expression}`)
  await engine.run(`ALTER TABLE ${table} ${additions.join(', ')} SETTINGS ${DICTIONARIES_OF_NUMBERS}`)
}
