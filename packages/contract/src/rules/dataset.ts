/**
 * What the members of a dataset must obey, besides its name; see dataset-name.ts.
 */

/** The kinds of datasets that there are; all hold events in the same way, and a query asks nobody for the kind. The first is meant where none is given. */
export const DATASET_KINDS = ['axiom:events:v1', 'otel:traces:v1', 'otel:logs:v1'] as const
export type DatasetKind = (typeof DATASET_KINDS)[number]
export const EDGE_DEPLOYMENT_LENGTH_MAX = 128
/** Of one dataset. */
export const MAP_FIELDS_MAX = 256
export const MAP_FIELD_LENGTH_MAX = 200
/** What begins with two underscores is nobody's to choose. */
export const MAP_FIELD_PATTERN = /^(?!__)[\s\S]+$/
/** In Unicode code points. */
export const DATASET_DESCRIPTION_POINTS_MAX = 512
/** A hundred years: longer than the span of time that can be stored reaches back from now. */
export const RETENTION_DAYS_MAX = 36_525
