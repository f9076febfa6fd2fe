/**
 * The statements for event tables, as texts. Those for a cluster say ReplicatedMergeTree and ON CLUSTER, which need Keeper: no
 * test of ours runs them as they are; the other tests here run them on two shards without replicas.
 */
import { expect, test } from '@jest/globals'
import {
  applyDeletes,
  createEventTable,
  createShardedTable,
  deleteRows,
  dropEventTable,
  dropPart,
  ON_ONE_HOST,
  onCluster,
  REMEMBERS_TOKENS,
  setRetention,
  syncReplicas,
} from '../../../event-store/src/schema/event-table.ts'

const COLUMNS = `(
  _time DateTime64(9, 'UTC') CODEC(Delta(8), LZ4),
  _sysTime DateTime64(9, 'UTC'),
  _row UInt64 CODEC(Delta(8), ZSTD(1)),
  data JSON(max_dynamic_paths = 256) CODEC(ZSTD(1)),
  rest Map(String, String) CODEC(ZSTD(1))
)`
const SETTINGS =
  'SETTINGS min_level_for_wide_part = 1, fsync_after_insert = 1, fsync_part_directory = 1, merge_selector_base = 10, index_granularity = 2048, min_compress_block_size = 16384, vertical_merge_algorithm_min_columns_to_activate = 1, vertical_merge_algorithm_min_rows_to_activate = 16384'
const TABLE = 'events_0123abcd'
const CLUSTER = onCluster('main')

test('a table in the process and on a server differ in what they remember of inserts', () => {
  const embedded = `CREATE TABLE IF NOT EXISTS ${TABLE} ${COLUMNS} ENGINE = MergeTree ORDER BY (_time, _row) ${SETTINGS}`
  expect(createEventTable(TABLE)).toBe(embedded)
  expect(createEventTable(TABLE, [REMEMBERS_TOKENS])).toBe(`${embedded}, non_replicated_deduplication_window = 1000`)
})

test('on a cluster a table is replicated, sharded by a hash, and reached through a distributed one', () => {
  expect(createShardedTable(TABLE, 'main')).toEqual([
    `CREATE TABLE IF NOT EXISTS ${TABLE}_local ON CLUSTER 'main' ${COLUMNS} ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/${TABLE}', '{replica}') ORDER BY (_time, _row) PARTITION BY if(abs(dateDiff('hour', _sysTime, _time)) < 192, toYYYYMMDD(_time), toYear(_time)) ${SETTINGS}`,
    `CREATE TABLE IF NOT EXISTS ${TABLE} ON CLUSTER 'main' AS ${TABLE}_local ENGINE = Distributed('main', currentDatabase(), ${TABLE}_local, intHash64(_row)) SETTINGS fsync_after_insert = 1, fsync_directories = 1`,
  ])
  expect(dropEventTable(TABLE, CLUSTER)).toEqual([
    `DROP TABLE IF EXISTS ${TABLE} ON CLUSTER 'main' SYNC`,
    `DROP TABLE IF EXISTS ${TABLE}_local ON CLUSTER 'main' SYNC`,
  ])
})

test('what changes rows goes to the tables that have them', () => {
  expect(setRetention(TABLE, 30, ON_ONE_HOST)).toEqual([
    `ALTER TABLE ${TABLE} MODIFY TTL _time + INTERVAL 30 DAY SETTINGS materialize_ttl_after_modify = 0`,
    `ALTER TABLE ${TABLE} MATERIALIZE TTL SETTINGS mutations_sync = 0`,
  ])
  expect(setRetention(TABLE, 0, ON_ONE_HOST)).toEqual([`ALTER TABLE ${TABLE} REMOVE TTL`])
  expect(setRetention(TABLE, 30, CLUSTER)[0]).toBe(
    `ALTER TABLE ${TABLE}_local ON CLUSTER 'main' MODIFY TTL toDate32(_time) + INTERVAL 31 DAY SETTINGS materialize_ttl_after_modify = 0`,
  )
  expect(setRetention(TABLE, 0, CLUSTER)).toEqual([`ALTER TABLE ${TABLE}_local ON CLUSTER 'main' REMOVE TTL`])
  expect(deleteRows(TABLE, '_row = 1', ON_ONE_HOST)).toBe(
    `DELETE FROM ${TABLE} WHERE _row = 1 SETTINGS lightweight_deletes_sync = 2`,
  )
  expect(deleteRows(TABLE, '_row = 1', CLUSTER)).toBe(
    `DELETE FROM ${TABLE}_local ON CLUSTER 'main' WHERE _row = 1 SETTINGS lightweight_deletes_sync = 2`,
  )
  const rewrite = 'APPLY DELETED MASK SETTINGS mutations_sync = 0'
  expect(applyDeletes(TABLE, ON_ONE_HOST)).toBe(`ALTER TABLE ${TABLE} ${rewrite}`)
  expect(applyDeletes(TABLE, CLUSTER)).toBe(`ALTER TABLE ${TABLE}_local ON CLUSTER 'main' ${rewrite}`)
  expect(dropPart(TABLE, 'all_1_2_3_4')).toBe(`ALTER TABLE ${TABLE} DROP PART 'all_1_2_3_4'`)
  expect(syncReplicas(TABLE, CLUSTER)).toBe(`SYSTEM SYNC REPLICA ON CLUSTER 'main' ${TABLE}_local`)
})

test('other names than ours become no statement', () => {
  expect(() => dropPart(TABLE, "x' y")).toThrow('is not the name of a part')
  for (const name of ['web', 'events_x; DROP', 'events_', 'annotations'])
    expect(() => createEventTable(name)).toThrow('is not the name')
  expect(() => createShardedTable(TABLE, "a' b")).toThrow('is not the name of a cluster')
})
