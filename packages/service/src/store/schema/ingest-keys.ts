/**
 * The table of the keys of repeatable ingest requests. Keys are only ever added: a key's later state is one more row.
 */
export const CREATE_INGEST_KEYS = `
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
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1`
