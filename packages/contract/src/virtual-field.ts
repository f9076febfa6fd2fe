/**
 * Virtual fields, which are expressions that queries of a dataset name like fields: their path and bounds.
 * The shapes are in schemas/virtual-field.ts.
 */
import { toSegment } from './text.ts'

export const VIRTUAL_FIELDS_PATH = '/v2/vfields'

/** @returns the path of one virtual field, its id escaped */
export function virtualFieldPath(id: string): string {
  return `${VIRTUAL_FIELDS_PATH}/${toSegment(id)}`
}

export const VIRTUAL_FIELD_ID_PATTERN = /^vf_[0-9a-f]{16}$/
/** How many virtual fields one dataset can have. */
export const VIRTUAL_FIELDS_MAX = 256
export const VIRTUAL_FIELD_NAME_LENGTH_MAX = 200
/** The longest texts, in Unicode code points. */
export const EXPRESSION_LENGTH_MAX = 4_096
export const VIRTUAL_FIELD_TEXT_LENGTH_MAX = 512
