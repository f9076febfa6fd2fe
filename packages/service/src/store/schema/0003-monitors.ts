/**
 * Version 3: monitors, each with where it stands.
 *
 * Every run writes a row, so rows are only inserted, in batches and beside reads and changes of annotations: an UPDATE for
 * each would hold them up. Of the rows of one monitor the highest version counts; merges drop the others.
 * A removed monitor leaves one row, because nothing else would outlast an older row that was not merged yet.
 */
export const MONITORS_3 = [
  `
CREATE TABLE IF NOT EXISTS monitors (
  id String,
  version UInt64,
  created_at_ms Int64,
  created_by String COMMENT 'id of the token',
  name String,
  description String COMMENT 'empty: unset, as in all texts',
  apl_query String,
  operator LowCardinality(String),
  threshold String COMMENT 'decimal text: the engine would round a number that it reads from JSON',
  interval_minutes UInt32,
  range_minutes UInt32,
  alert_on_no_data UInt8,
  datasets Array(String),
  annotation_type String,
  annotation_title String,
  disabled UInt8,
  status LowCardinality(String),
  since_ms Int64,
  last_run_ms Nullable(Int64),
  next_run_ms Int64,
  last_value String COMMENT 'decimal text',
  error String,
  annotation_id String COMMENT 'the annotation whose span is open',
  steps String COMMENT 'JSON: what was decided about annotations and is perhaps not done yet',
  removed UInt8
) ENGINE = ReplacingMergeTree(version) ORDER BY id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1`,
]
