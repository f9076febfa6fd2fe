/**
 * The statements that create, change and drop the table of a dataset. The embedded engine and a server have the same ones; on a cluster
 * the same columns are replicated and sharded. Deliberately not here: running them, and the statements that read and fill the tables.
 * - Paths are capped at 256 and small parts stay compact: without both, 1,000 distinct keys made inserts 20 times slower or stopped
 *   them for good, because every path of every part is several files.
 * - `_row` makes the order total: pages continue after (_time, _row).
 * - Nearly every query reads the times, so their codec is chosen for speed: they are read two to three times as fast as with ZSTD, for
 *   about a byte an event.
 * - Merges write one column after the other ("vertical"), which takes three quarters of the processor time, and less memory.
 * - Row ids grow slowly in the order of the table, so their differences take next to no room.
 * - Parts are merged ten at a time (base 10; the default merged the same rows eight times over, for a third of all CPU time).
 * - Marks are 2,048 rows apart, and compressed blocks a quarter as large as by default: a query of a few events reads and decompresses
 *   less around them and takes a third less time, and merges take a fifth more processor time, 0.4 µs a row.
 * - An acknowledged insert is on disk (fsync of the part's files and of its directory).
 * - Shards are chosen by a hash of `_row`. The last bits of `_row` are a sequence that restarts each millisecond, so that the row ids
 *   of small requests are all even, and `_row` itself sent 191 of 200 to one of two shards. Any shard may have any row, so another key
 *   only changes where new rows go.
 * - On a cluster tables have partitions, so that retention and trims drop what is older, on every shard by one name, and rewrite nothing.
 *   On one host they have none: there whole parts are dropped by their names, and a request in several partitions would be several parts,
 *   of which a crash can leave some.
 * - A server remembers the tokens of inserts: a replicated table does so by default, a plain one by a setting.
 */

import { quoteText } from '@deployment-annotations/apl/sql/quoting'

/** How the statements of a store name its tables, and which hosts they reach. */
export interface TableNames {
  /** @returns the table that has the rows; it is the one to alter, and the one that the lists of parts name */
  rows(table: string): string
  /** @returns the tables of one dataset, in the order in which they are dropped */
  all(table: string): readonly string[]
  /** @returns a table of the database `system`, with the rows of one replica of every shard */
  system(name: string): string
  /** @returns a table of the database `system`, with the rows of every host */
  hosts(name: string): string
  /** The columns `shard` and `replica` of a host, by the names that Keeper has of them; empty without a cluster. */
  readonly macros: string
  /** The end of the table's name in a statement that every host runs; it begins with a space unless it is empty. */
  readonly everywhere: string
  /** @returns when a row expires that is to be there for so many days, as SQL */
  expiry(days: number): string
}

/** All tables are on one host: in this process, or on one server. */
export const ON_ONE_HOST: TableNames = {
  rows: tableName,
  all: (table) => [tableName(table)],
  system: (name) => `system.${name}`,
  hosts: (name) => `system.${name}`,
  macros: `'' AS shard, '' AS replica`,
  everywhere: '',
  expiry: (days) => `_time + INTERVAL ${days} DAY`,
}

/**
 * On a cluster a dataset has a replicated table on each shard, and a distributed one over them.
 * Our tests run shards of one replica each; only the texts of the statements are tested for more replicas.
 * @param cluster as `remote_servers` and ON CLUSTER name it
 */
export function onCluster(cluster: string): TableNames {
  const name = quotedName(cluster)
  return {
    rows: (table) => `${tableName(table)}_local`,
    all: (table) => [tableName(table), `${table}_local`],
    system: (of) => `cluster(${name}, system.${of})`,
    hosts: (of) => `clusterAllReplicas(${name}, system.${of})`,
    macros: `getMacro('shard') AS shard, getMacro('replica') AS replica`,
    everywhere: ` ON CLUSTER ${name}`,
    // A partition expires as a whole, after the last of its events.
    expiry: (days) => `toDate32(_time) + INTERVAL ${days + 1} DAY`,
  }
}

/**
 * The column beside `data` for what that must not hold: members that are no fields, because the dataset has as many as it may, objects
 * of map fields, and arrays that the engine would change. Each is JSON text under the path of its field.
 */
export const REST = 'rest'

export const EVENT_COLUMNS = ['data', '_time', '_sysTime', '_row', REST] as const

/** Merges build the indexes, because inserts would write and sync more files, and nobody waits for an index of new rows. */
export const INDEXES_LATER = { materialize_skip_indexes_on_insert: 0 } as const

/**
 * How the engine reads the texts of events that an earlier version has left in its log: the first of two equal names counts (the scanner has removed the others), and neither texts that look
 * like dates nor booleans among numbers or texts are converted (["x", true] was stored as ["x", "true"]).
 * These are part of the statement, because a setting would stay in the embedded engine's session.
 */
export const EVENT_SETTINGS = {
  type_json_skip_duplicated_paths: 1,
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
  // Otherwise null in an array becomes [] or {} where another row of the insert has arrays or objects in the field.
  input_format_null_as_default: 0,
  input_format_json_read_bools_as_numbers: 0,
  input_format_json_read_bools_as_strings: 0,
  input_format_json_read_numbers_as_strings: 0,
  input_format_json_read_arrays_as_strings: 0,
  input_format_json_read_objects_as_strings: 0,
  // Most rows end before the column of the rest.
  input_format_json_compact_allow_variable_number_of_columns: 1,
  ...INDEXES_LATER,
} as const

/** How many paths of the JSON column have columns of their own; all others share one. */
export const EVENT_PATHS_MAX = 256

export const REST_TYPE = 'Map(String, String)'
/** The columns of rows in the engine's own format. */
export const EVENT_STRUCTURE = `data JSON(max_dynamic_paths = ${EVENT_PATHS_MAX}), _time DateTime64(9, 'UTC'), _sysTime DateTime64(9, 'UTC'), _row UInt64, ${REST} ${REST_TYPE}`

/**
 * The day of an event that arrived within eight days of it, and the year of any other: 20,000 events of 365 days in one request were
 * 365 parts by day alone, stored six times as slowly, and then queried eleven times as slowly; by this key they are ten.
 */
const PARTITION_KEY = `if(abs(dateDiff('hour', _sysTime, _time)) < 192, toYYYYMMDD(_time), toYear(_time))`

const REST_COLUMN = `${REST} ${REST_TYPE} CODEC(ZSTD(1))`
const TIME_CODEC = 'CODEC(Delta(8), LZ4)'
const COLUMNS = `(
  _time DateTime64(9, 'UTC') ${TIME_CODEC},
  _sysTime DateTime64(9, 'UTC'),
  _row UInt64 CODEC(Delta(8), ZSTD(1)),
  data JSON(max_dynamic_paths = ${EVENT_PATHS_MAX}) CODEC(ZSTD(1)),
  ${REST_COLUMN}
)`
const SETTINGS = `SETTINGS ${[
  'min_level_for_wide_part = 1',
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  'merge_selector_base = 10',
  'index_granularity = 2048',
  // Compressed blocks are a quarter as large as by default.
  'min_compress_block_size = 16384',
  'vertical_merge_algorithm_min_columns_to_activate = 1',
  'vertical_merge_algorithm_min_rows_to_activate = 16384',
].join(', ')}`
/**
 * Parts of a staging table are merged only after they have joined the dataset, because merging during the upload doubled the memory.
 */
const STAGING_SETTINGS = 'max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1'
/**
 * The length of a text is in the file of the texts. By default lengths have files of their own, which hardly any query reads alone: a page
 * opened 158 files and not 116, and reading all texts of a field took a quarter more time. Older servers do not know this setting.
 */
export const TEXTS_WITH_LENGTHS = "string_serialization_version = 'single_stream'"
/** With this setting a plain table of a server remembers this many tokens. */
export const REMEMBERS_TOKENS = 'non_replicated_deduplication_window = 1000'

/**
 * @param settings those that only some tables have
 * @param comment see {@link setComment}
 * @returns the statement that creates a table on one host; it may be repeated
 */
export function createEventTable(table: string, settings: readonly string[] = [], comment = ''): string {
  const name = tableName(table)
  const all = [SETTINGS, ...(name.startsWith('staging_') ? [STAGING_SETTINGS] : []), ...settings].join(', ')
  return `CREATE TABLE IF NOT EXISTS ${name} ${COLUMNS} ENGINE = MergeTree ORDER BY (_time, _row) ${all}${commentOf(comment)}`
}

/** @returns the statements that give a table of an earlier version the column of the rest; they may be repeated */
export function addRest(table: string, names: TableNames): string[] {
  const before = names.all(table).toReversed()
  return before.map((name) => `ALTER TABLE ${name}${names.everywhere} ADD COLUMN IF NOT EXISTS ${REST_COLUMN}`)
}

const commentOf = (comment: string) => (comment === '' ? '' : ` COMMENT ${quoteText(comment)}`)

/** @returns the statements that create a replicated and sharded table, in order; they may be repeated */
export function createShardedTable(table: string, cluster: string, comment = ''): string[] {
  const name = tableName(table)
  const quoted = quotedName(cluster)
  return [
    `CREATE TABLE IF NOT EXISTS ${name}_local ON CLUSTER ${quoted} ${COLUMNS} ENGINE = ReplicatedMergeTree('${keeperPath('{shard}', name)}', '{replica}') ORDER BY (_time, _row) PARTITION BY ${PARTITION_KEY} ${SETTINGS}${commentOf(comment)}`,
    `CREATE TABLE IF NOT EXISTS ${name} ON CLUSTER ${quoted} AS ${name}_local ENGINE = Distributed(${quoted}, currentDatabase(), ${name}_local, intHash64(_row)) SETTINGS fsync_after_insert = 1, fsync_directories = 1`,
  ]
}

const keeperPath = (shard: string, table: string) => `/clickhouse/tables/${shard}/${table}`

/** @returns the statement after which a replica that has lost its table can have it again; it fails while that replica is connected */
export function dropReplica(table: string, shard: string, replica: string): string {
  return `SYSTEM DROP REPLICA ${quoteText(replica)} FROM ZKPATH ${quoteText(keeperPath(shard, tableName(table)))}`
}

/** @param definition that another host has of it. @returns the statement that creates a table on the hosts that lack it */
export function createAgain(name: string, definition: string, names: TableNames): string {
  return definition.replace(/^CREATE TABLE \S+/, `CREATE TABLE IF NOT EXISTS ${name}${names.everywhere}`)
}

/** @returns the statement that says of which dataset a table is, for whoever has lost the records */
export function setComment(table: string, comment: string, names: TableNames): string {
  return `ALTER TABLE ${stored(table, names)} MODIFY COMMENT ${quoteText(comment)}`
}

/** @returns the statements that drop the table with all of its events */
export function dropEventTable(table: string, names: TableNames): string[] {
  return names.all(table).map((name) => `DROP TABLE IF EXISTS ${name}${names.everywhere} SYNC`)
}

/**
 * @param days 0 keeps events forever
 * @returns the statements, in order. They do not apply to existing events, because that would take as long as rewriting the table, and
 *   forever if the disk has no room for it; those are removed separately
 */
export function setRetention(table: string, days: number, names: TableNames): string[] {
  if (!Number.isSafeInteger(days) || days < 0) throw new Error(`a retention of ${days} days is not possible`)
  const name = stored(table, names)
  if (days === 0) return [`ALTER TABLE ${name} REMOVE TTL`]
  return [
    `ALTER TABLE ${name} MODIFY TTL ${names.expiry(days)} SETTINGS materialize_ttl_after_modify = 0`,
    `ALTER TABLE ${name} MATERIALIZE TTL SETTINGS mutations_sync = 0`,
  ]
}

/**
 * @param condition selects the rows to delete
 * @param sync what the statement waits for: 2 for all replicas, because any of them may be read next, and 0 for nothing
 * @returns the statement; with 2 no read finds the rows once it is done
 */
export function deleteRows(table: string, condition: string, names: TableNames, sync: 0 | 2 = 2): string {
  return `DELETE FROM ${stored(table, names)} WHERE ${condition} SETTINGS lightweight_deletes_sync = ${sync}`
}

/** @param part a name from the engine. @returns the statement that removes a whole part of the table, and frees its room at once */
export function dropPart(table: string, part: string): string {
  if (!/^\w+$/.test(part)) throw new Error(`${JSON.stringify(part)} is not the name of a part`)
  return `ALTER TABLE ${tableName(table)} DROP PART '${part}'`
}

/** The condition under which the partition `partition_id` is of a day and has no event of the bound time `before` or later */
export const IS_OLDER_PARTITION = `match(partition_id, '^[0-9]{8}$') AND partition_id < formatDateTime(fromUnixTimestamp64Nano({before:Int64}, 'UTC'), '%Y%m%d')`

/** @returns the statement that removes the partition of a day on all shards, and frees its room at once */
export function dropPartition(table: string, id: string, names: TableNames): string {
  if (!/^\d{8}$/.test(id)) throw new Error(`${JSON.stringify(id)} is not the partition of a day`)
  return `ALTER TABLE ${stored(table, names)} DROP PARTITION ID '${id}'`
}

/** @returns the statement that starts to rewrite parts without their deleted rows */
export function applyDeletes(table: string, names: TableNames): string {
  return `ALTER TABLE ${stored(table, names)} APPLY DELETED MASK SETTINGS mutations_sync = 0`
}

/** @returns the statement after which every replica has the rows of all; only a cluster needs one */
export function syncReplicas(table: string, names: TableNames): string {
  return `SYSTEM SYNC REPLICA${names.everywhere} ${names.rows(table)}`
}

const stored = (table: string, names: TableNames) => `${names.rows(table)}${names.everywhere}`

/** Checks a table's name before it goes into a statement. Names come from this program, or the manifest of an export. */
export function tableName(table: string): string {
  if (!/^(events|staging)_[a-z0-9]{8,40}$/.test(table))
    throw new Error(`${JSON.stringify(table)} is not the name of an event table`)
  return table
}

/** Quotes a cluster's name for a statement. @throws Error if it cannot be one */
export function quotedName(name: string): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) throw new Error(`${JSON.stringify(name)} is not the name of a cluster`)
  return `'${name}'`
}
