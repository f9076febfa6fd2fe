/**
 * Version 1: the annotations.
 *
 * A plain MergeTree with lightweight UPDATE and DELETE: an update writes a patch of its own columns, so two changes of
 * different members at one moment both survive, which replacing whole rows does not give. Both need the block columns.
 *
 * Ordered by id, because a row is found by id and the columns of the order can never change. Ids begin with their time of
 * creation, so new rows land next to each other. Not sharded, not partitioned: annotations are few next to events.
 *
 * The fsync settings make an acknowledged insert, update or delete survive a power cut: the engine syncs every file of the
 * new part and, after its rename, the part's directory; patches of lightweight statements are such parts too.
 */
export const ANNOTATIONS_1 = [
  `
CREATE TABLE IF NOT EXISTS annotations (
  id String,
  datasets Array(String),
  time_ns Int64 COMMENT 'nanoseconds since the Unix epoch',
  end_time_ns Nullable(Int64) COMMENT 'nanoseconds since the Unix epoch',
  title String COMMENT 'empty: unset, as in all texts',
  description String,
  type String,
  url String,
  created_at_ms Int64,
  created_by String COMMENT 'id of the token',
  repeat_key String COMMENT 'hash over token and Idempotency-Key; empty: none was sent',
  repeat_payload String COMMENT 'hash over what was asked for',
  INDEX repeat_key_index repeat_key TYPE bloom_filter GRANULARITY 1
) ENGINE = MergeTree ORDER BY id
SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1,
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1`,
]
