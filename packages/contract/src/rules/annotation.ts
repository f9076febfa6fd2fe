/**
 * What the members of an annotation must obey: patterns and bounds, for the schemas and for senders that check before they send.
 */

export const ANNOTATION_ID_PATTERN = /^ann_[A-Za-z0-9_-]{1,64}$/
export const ANNOTATION_TYPE_PATTERN = /^[a-z0-9-]+$/

/** Longest texts, in Unicode code points. */
export const TYPE_POINTS_MAX = 256
export const TITLE_POINTS_MAX = 256
export const DESCRIPTION_POINTS_MAX = 512
export const URL_POINTS_MAX = 512
