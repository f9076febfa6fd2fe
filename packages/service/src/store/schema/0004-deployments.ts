/**
 * Version 4: the deployments that webhooks told of.
 *
 * One row a deployment, changed by lightweight UPDATE like the annotations, and for the same reasons. The row is written before
 * its annotation is, and says under which id: whatever ends the process in between, the annotation is made once. Rows are kept
 * forever: a repeat that comes late finds its deployment.
 */
export const DEPLOYMENTS_4 = [
  `
CREATE TABLE IF NOT EXISTS deployments (
  integration String COMMENT 'id of the integration',
  deployment String COMMENT 'id that the platform gave it',
  annotation String COMMENT 'id of its annotation, chosen before that is made',
  known String COMMENT 'JSON: what its events said',
  state LowCardinality(String) COMMENT 'new: the annotation may not be there yet; due: it may not show what is known; shown; gone: somebody deleted it',
  created_at_ms Int64
) ENGINE = MergeTree ORDER BY (integration, deployment)
SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1,
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1`,
]
