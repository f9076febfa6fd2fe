/**
 * Version 2: datasets, the catalogue of their fields, and the keys of repeatable ingest requests.
 * The events themselves are in one table per dataset, see store/schema/event-table.ts.
 *
 * Fields and keys are only ever added: a field seen with a new type is one more row, and a key's later state is one too.
 */
const DURABLE = 'fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1'

export const DATASETS_2 = [
  `
CREATE TABLE IF NOT EXISTS datasets (
  name String,
  table_name String COMMENT 'made from a random id, never from the name',
  description String,
  created_at_ms Int64,
  updated_at_ms Int64,
  created_by String COMMENT 'id of the token',
  retention_days UInt32 COMMENT '0: events are kept for ever'
) ENGINE = MergeTree ORDER BY name
SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1, ${DURABLE}`,
  `
CREATE TABLE IF NOT EXISTS dataset_fields (
  table_name String,
  name String,
  types UInt32 COMMENT 'bits, see TYPE_BITS'
) ENGINE = MergeTree ORDER BY (table_name, name)
SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1, ${DURABLE}`,
  `
CREATE TABLE IF NOT EXISTS ingest_keys (
  key String COMMENT 'hash over token, dataset and Idempotency-Key',
  payload String COMMENT 'hash over body and parameters',
  state LowCardinality(String) COMMENT 'intent, done or void; the last one counts',
  dataset String,
  first_time_ns Int64 COMMENT 'with first_row: where to look whether the rows of an intent were stored',
  first_row UInt64 COMMENT '0: no row was to be stored',
  result String COMMENT 'what was answered',
  written_at_ms Int64,
  sequence UInt64,
  INDEX written_index written_at_ms TYPE minmax GRANULARITY 1
) ENGINE = MergeTree ORDER BY (key, sequence)
TTL toDateTime(intDiv(written_at_ms, 1000)) + INTERVAL 2 DAY
SETTINGS ${DURABLE}`,
]
