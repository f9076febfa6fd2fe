/**
 * What virtual fields must obey.
 */

export const VIRTUAL_FIELD_ID_PATTERN = /^vf_[0-9a-f]{16}$/
/** Of one dataset. */
export const VIRTUAL_FIELDS_MAX = 256
export const VIRTUAL_FIELD_NAME_LENGTH_MAX = 200
/** In Unicode code points, as the texts beside it. */
export const EXPRESSION_LENGTH_MAX = 4_096
export const VIRTUAL_FIELD_TEXT_LENGTH_MAX = 512
