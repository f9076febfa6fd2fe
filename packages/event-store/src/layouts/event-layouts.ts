/**
 * What the engine knows of the columns and indexes of event tables, and of the values that they are for.
 * Deliberately not here: the statements that change them (schema/field-layout.ts).
 */
import { storedText } from '@deployment-annotations/apl/sql/field'
import type { Engine } from '../engine/engine.ts'
import { tableName } from '../schema/event-table.ts'
import { LAYOUT_NAMES } from '../schema/field-layout.ts'
import type { FieldUsage } from './field-usage.ts'

/** So many of the newest events say what the texts of a field are. */
const NEWEST_ROWS = 50_000
/** A dictionary holds this many values easily, below the engine's limit of 8,192. */
const FEW_VALUES_MAX = 4_000
/** Each value must occur this often on average, because a dictionary saves nothing otherwise. */
const REPEATS_MIN = 10
/** Texts with as many spaces are searched by words, others, such as paths and UUIDs, as a whole. */
const SPACES_MIN = 3

/** @returns the names of the columns and indexes of each table */
export async function listLayouts(engine: Engine): Promise<Map<string, string[]>> {
  const found = await engine.select<{ table: string; names: string[] }>(
    `SELECT table, groupArray(name) AS names FROM (SELECT database, table, name FROM system.columns
        UNION ALL SELECT database, table, name FROM system.data_skipping_indices)
      WHERE database = currentDatabase() AND match(name, {name:String}) GROUP BY table`,
    { name: LAYOUT_NAMES },
  )
  return new Map(found.map(({ table, names }) => [table, names]))
}

/** @returns the columns that at least this share of the rows lacks */
export async function findUnbuilt(engine: Engine, table: string, share: number): Promise<string[]> {
  const ofTable = 'database = currentDatabase() AND table = {table:String}'
  const rows = await engine.select<{ name: string }>(
    `SELECT name FROM system.columns WHERE ${ofTable} AND match(name, {name:String}) AND name NOT IN (
        SELECT column FROM system.parts_columns WHERE active AND ${ofTable} GROUP BY column
        HAVING sum(rows) > (SELECT sum(rows) FROM system.parts WHERE active AND ${ofTable}) * ${1 - share})`,
    { table, name: LAYOUT_NAMES },
  )
  return rows.map(({ name }) => name)
}

/**
 * @param path of a field that holds texts only
 * @returns what the newest texts of a field are, if its name does not tell
 */
export async function findUsage(engine: Engine, table: string, path: string): Promise<FieldUsage> {
  const [row] = await engine.select<{ usage: FieldUsage }>(
    `SELECT multiIf(uniq(value) BETWEEN 1 AND least(count(value) / ${REPEATS_MIN}, ${FEW_VALUES_MAX}), 'few',
        avg(countSubstrings(value, ' ')) >= ${SPACES_MIN}, 'text', 'id') AS usage
      FROM (SELECT ${storedText(path)} AS value FROM ${tableName(table)} ORDER BY _time DESC LIMIT ${NEWEST_ROWS})`,
  )
  return row?.usage ?? 'id'
}
