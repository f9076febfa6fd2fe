/**
 * What the members of a dataset must obey, besides its name; see dataset-name.ts.
 */

/** The one kind of dataset there is. */
export const DATASET_KIND = 'axiom:events:v1'
/** In Unicode code points. */
export const DATASET_DESCRIPTION_POINTS_MAX = 512
/** A hundred years: longer than the span of time that can be stored reaches back from now. */
export const RETENTION_DAYS_MAX = 36_525
