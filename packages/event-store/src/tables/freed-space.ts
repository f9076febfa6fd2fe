/**
 * Frees the room of removed events. A delete only marks rows, and the engine frees their room when it next merges their part, which for
 * a large part is never. So parts without remaining rows are dropped whole, and if many rows of a table are marked, its parts are
 * rewritten without them.
 * Deliberately not here: the age limit of events, and checking the disk for room to rewrite parts.
 */
import type { Engine } from '../engine/engine.ts'
import { engineCode } from '../engine/engine-failures.ts'
import { applyDeletes, dropPart, type TableNames } from '../schema/event-table.ts'

/** If a smaller share of a table's rows is deleted, rewriting is not worth it, and the next merge removes them. */
const DELETED_SHARE_MIN = 0.1

/** NO_SUCH_DATA_PART: the part was merged with others a moment before. */
const NO_PART = '232'

/** Drops parts of a table on one host. That needs no room and frees theirs at once. */
export async function dropParts(engine: Engine, table: string, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    await engine.run(dropPart(table, part)).catch((error: unknown) => {
      if (engineCode(error) !== NO_PART) throw error
    })
  }
}

/** @returns the tables with removed rows that still take up room */
export async function listDeleted(engine: Engine, names: TableNames): Promise<string[]> {
  const rows = await engine.select<{ name: string }>(
    `SELECT DISTINCT table AS name FROM ${names.system('parts')} WHERE active AND has_lightweight_delete
      AND database = currentDatabase() AND startsWith(table, 'events_')`,
  )
  return rows.map(({ name }) => name.replace(/_local$/, ''))
}

/** Begins to rewrite the parts of a table without its deleted rows, if it is worth it and not under way already. */
export async function reclaim(engine: Engine, names: TableNames, table: string): Promise<void> {
  const condition = `database = currentDatabase() AND table = {rows:String}`
  const [found] = await engine.select<{ rows: string; remaining: string; undone: string }>(
    `SELECT (SELECT toString(sum(rows)) FROM ${names.system('parts')} WHERE active AND ${condition}) AS rows,
      (SELECT toString(count()) FROM {table:Identifier}) AS remaining,
      (SELECT toString(count()) FROM ${names.system('mutations')} WHERE NOT is_done AND ${condition}) AS undone`,
    { table, rows: names.rows(table) },
  )
  const [rows, remaining, undone] = [Number(found?.rows), Number(found?.remaining), Number(found?.undone)]
  if (undone === 0 && rows - remaining >= rows * DELETED_SHARE_MIN) await engine.run(applyDeletes(table, names))
}

const BEFORE = `fromUnixTimestamp64Nano({before:Int64}, 'UTC')`

/**
 * Reads the index of each part, and then only the parts that it says are older, because a table may have billions of rows.
 * @returns the parts of a table on one host whose events are all older than `beforeNs`
 */
export async function listOlderParts(engine: Engine, table: string, beforeNs: bigint): Promise<string[]> {
  const before = String(beforeNs)
  const candidates = await engine.select<{ name: string }>(
    `SELECT part_name AS name FROM mergeTreeIndex(currentDatabase(), {table:Identifier}) GROUP BY name HAVING max(_time) < ${BEFORE}`,
    { table, before },
  )
  if (candidates.length === 0) return []
  const remaining = await engine.select<{ name: string }>(
    `SELECT DISTINCT _part AS name FROM {table:Identifier} WHERE _part IN {parts:Array(String)} AND _time >= ${BEFORE}`,
    { table, before, parts: candidates.map(({ name }) => name) },
  )
  const names = new Set(remaining.map(({ name }) => name))
  return candidates.flatMap(({ name }) => (names.has(name) ? [] : [name]))
}
