/**
 * Room on the disk that removed events still take up. A delete only marks rows, and the engine frees their room when it next merges
 * their part, which for a large one is never. So parts of which nothing is kept are dropped whole, and where many rows of a table
 * are marked, its parts are written again without them.
 * Deliberately not here: which events are too old, and whether the disk has room for parts that are written again.
 */
import type { Engine } from '../engine/engine.ts'
import { engineCode } from '../engine/engine-failures.ts'
import { applyDeletes, dropPart, type TableNames } from '../schema/event-table.ts'

/** Where fewer rows of a table are deleted, the others are not worth writing again: the deleted ones go with the next merge. */
const DELETED_SHARE_MIN = 0.1

/** NO_SUCH_DATA_PART: it was merged with others a moment before. */
const NO_PART = '232'

/** Drops parts of a table on one host whose events are all older than `beforeNs`. Their room is free at once, and it takes none. */
export async function dropOlderParts(engine: Engine, table: string, beforeNs: bigint): Promise<void> {
  for (const part of await listOlderParts(engine, table, beforeNs)) {
    await engine.run(dropPart(table, part)).catch((error: unknown) => {
      if (engineCode(error) !== NO_PART) throw error
    })
  }
}

/** @returns the tables with rows that were removed and still take up room */
export async function listDeleted(engine: Engine, names: TableNames): Promise<string[]> {
  const rows = await engine.select<{ name: string }>(
    `SELECT DISTINCT table AS name FROM ${names.system('parts')} WHERE active AND has_lightweight_delete
      AND database = currentDatabase() AND startsWith(table, 'events_')`,
  )
  return rows.map(({ name }) => name.replace(/_local$/, ''))
}

/** Begins to write the parts of a table again without its deleted rows, where it is worth it and not under way already. */
export async function reclaim(engine: Engine, names: TableNames, table: string): Promise<void> {
  const condition = `database = currentDatabase() AND table = {rows:String}`
  const [found] = await engine.select<{ rows: string; kept: string; undone: string }>(
    `SELECT (SELECT toString(sum(rows)) FROM ${names.system('parts')} WHERE active AND ${condition}) AS rows,
      (SELECT toString(count()) FROM {table:Identifier}) AS kept,
      (SELECT toString(count()) FROM ${names.system('mutations')} WHERE NOT is_done AND ${condition}) AS undone`,
    { table, rows: names.rows(table) },
  )
  const [rows, kept, undone] = [Number(found?.rows), Number(found?.kept), Number(found?.undone)]
  if (undone === 0 && rows - kept >= rows * DELETED_SHARE_MIN) await engine.run(applyDeletes(table, names))
}

const BEFORE = `fromUnixTimestamp64Nano({before:Int64}, 'UTC')`

/** Reads the index of each part, and then only the parts that it says are older: a table may have billions of rows. */
async function listOlderParts(engine: Engine, table: string, beforeNs: bigint): Promise<string[]> {
  const before = String(beforeNs)
  const candidates = await engine.select<{ name: string }>(
    `SELECT part_name AS name FROM mergeTreeIndex(currentDatabase(), {table:Identifier}) GROUP BY name HAVING max(_time) < ${BEFORE}`,
    { table, before },
  )
  if (candidates.length === 0) return []
  const kept = await engine.select<{ name: string }>(
    `SELECT DISTINCT _part AS name FROM {table:Identifier} WHERE _part IN {parts:Array(String)} AND _time >= ${BEFORE}`,
    { table, before, parts: candidates.map(({ name }) => name) },
  )
  const names = new Set(kept.map(({ name }) => name))
  return candidates.flatMap(({ name }) => (names.has(name) ? [] : [name]))
}
