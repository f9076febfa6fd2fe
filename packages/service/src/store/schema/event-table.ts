/**
 * The statements that make and remove the table of a dataset. One text for the embedded engine and a server; on a cluster the
 * same columns are replicated and sharded.
 *
 * - Paths are capped at 256 and small parts stay compact: without both, 1,000 distinct keys made inserts 20 times slower or
 *   stopped them for good, because every path of every part is several files.
 * - `_row` makes the order total: pages continue behind (_time, _row).
 * - Parts are merged ten at a time (base 10; the default merged the same rows eight times over, for a third of all CPU time).
 * - An acknowledged insert is on disk (fsync of the part's files and of its directory).
 */

/** A ClickHouse cluster. The statements for it are not exercised by our tests beyond their text. */
export interface Cluster {
  /** As `remote_servers` and ON CLUSTER name it. */
  name: string
}

export const EVENT_COLUMNS = ['data', '_time', '_sysTime', '_row'] as const

const COLUMNS = `(
  _time DateTime64(9, 'UTC') CODEC(Delta(8), ZSTD(1)),
  _sysTime DateTime64(9, 'UTC'),
  _row UInt64,
  data JSON(max_dynamic_paths = 256) CODEC(ZSTD(1))
)`
const SETTINGS =
  'SETTINGS min_level_for_wide_part = 1, fsync_after_insert = 1, fsync_part_directory = 1, merge_selector_base = 10'
/** The parts of a staging table are merged once they are in the dataset: merging while it fills doubled the memory it takes. */
const STAGING_SETTINGS = 'max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1'

/** @returns the statements that make the table, in order; they may be run again */
export function createEventTable(table: string, cluster?: Cluster): string[] {
  const name = checked(table)
  if (!cluster) {
    const settings = name.startsWith('staging_') ? `${SETTINGS}, ${STAGING_SETTINGS}` : SETTINGS
    return [`CREATE TABLE IF NOT EXISTS ${name} ${COLUMNS} ENGINE = MergeTree ORDER BY (_time, _row) ${settings}`]
  }
  const on = `ON CLUSTER ${quotedName(cluster.name)}`
  const path = `/clickhouse/tables/{shard}/${name}`
  return [
    `CREATE TABLE IF NOT EXISTS ${name}_local ${on} ${COLUMNS} ENGINE = ReplicatedMergeTree('${path}', '{replica}') ORDER BY (_time, _row) ${SETTINGS}`,
    `CREATE TABLE IF NOT EXISTS ${name} ${on} AS ${name}_local ENGINE = Distributed(${quotedName(cluster.name)}, currentDatabase(), ${name}_local, _row) SETTINGS fsync_after_insert = 1, fsync_directories = 1`,
  ]
}

/** @returns the statements that remove the table and all of its events */
export function dropEventTable(table: string, cluster?: Cluster): string[] {
  const name = checked(table)
  if (!cluster) return [`DROP TABLE IF EXISTS ${name} SYNC`]
  const on = `ON CLUSTER ${quotedName(cluster.name)}`
  return [`DROP TABLE IF EXISTS ${name} ${on} SYNC`, `DROP TABLE IF EXISTS ${name}_local ${on} SYNC`]
}

/**
 * @param days 0 keeps events forever
 * @returns the statements, in order; what is in the table already is dealt with afterwards: to wait for that would take as long as
 *   writing the table again, and forever where the disk has no room for it
 */
export function setRetention(table: string, days: number, cluster?: Cluster): string[] {
  if (!Number.isSafeInteger(days) || days < 0) throw new Error(`a retention of ${days} days is not possible`)
  const local = cluster ? `${checked(table)}_local ON CLUSTER ${quotedName(cluster.name)}` : checked(table)
  if (days === 0) return [`ALTER TABLE ${local} REMOVE TTL`]
  return [
    `ALTER TABLE ${local} MODIFY TTL _time + INTERVAL ${days} DAY SETTINGS materialize_ttl_after_modify = 0`,
    `ALTER TABLE ${local} MATERIALIZE TTL SETTINGS mutations_sync = 0`,
  ]
}

/** Names are made by us; anything else is a mistake of ours. */
function checked(table: string): string {
  if (!/^(events|staging)_[a-z0-9]{8,40}$/.test(table))
    throw new Error(`${JSON.stringify(table)} is not the name of an event table`)
  return table
}

function quotedName(name: string): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) throw new Error(`${JSON.stringify(name)} is not the name of a cluster`)
  return `'${name}'`
}
