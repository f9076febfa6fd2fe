/**
 * Moves the rows of a staging table into another table in one step.
 */
import type { Engine } from '../engine/engine.ts'
import { engineCode } from '../engine/engine-failures.ts'
import { DICTIONARIES_OF_NUMBERS, LAYOUT_NAMES } from '../schema/field-layout.ts'

const INCOMPATIBLE_COLUMNS = '122'

/** If the table was given a column after the staging table was created, the staged rows are read as if they had it. */
export async function attachRows(engine: Engine, staging: string, table: string): Promise<void> {
  const attach = () => engine.run(`ALTER TABLE ${table} ATTACH PARTITION ID 'all' FROM ${staging}`)
  await attach().catch(async (error: unknown) => {
    if (engineCode(error) !== INCOMPATIBLE_COLUMNS) throw error
    await alignColumns(engine, staging, table)
    await attach()
  })
}

/** Gives one table the columns of another, without which its rows cannot be attached to the other. */
async function alignColumns(engine: Engine, table: string, like: string): Promise<void> {
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
