/**
 * Every function that can stand in an expression. A function is added in the file of its subject; nothing is to be done here.
 * Deliberately not here: aggregations; see `aggregates.ts`.
 */
import { ADDRESS_FUNCTIONS } from './address.ts'
import { ARRAY_FUNCTIONS } from './array.ts'
import { CONVERSION_FUNCTIONS } from './conversion.ts'
import type { FunctionTable } from './definition.ts'
import { ENCODING_FUNCTIONS } from './encoding.ts'
import { GENAI_FUNCTIONS } from './genai.ts'
import { JSON_FUNCTIONS } from './json.ts'
import { METADATA_FUNCTIONS } from './metadata.ts'
import { NETWORK_FUNCTIONS } from './network.ts'
import { NUMBER_FUNCTIONS } from './number.ts'
import { PART_FUNCTIONS } from './parts.ts'
import { PLACE_FUNCTIONS } from './places.ts'
import { RANGE_FUNCTIONS } from './range.ts'
import { SERIES_FUNCTIONS } from './series.ts'
import { TEXT_FUNCTIONS } from './text.ts'
import { TIME_FUNCTIONS } from './time.ts'

export const FUNCTIONS: FunctionTable = {
  ...CONVERSION_FUNCTIONS,
  ...TEXT_FUNCTIONS,
  ...PLACE_FUNCTIONS,
  ...ENCODING_FUNCTIONS,
  ...PART_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...TIME_FUNCTIONS,
  ...JSON_FUNCTIONS,
  ...ARRAY_FUNCTIONS,
  ...NETWORK_FUNCTIONS,
  ...ADDRESS_FUNCTIONS,
  ...SERIES_FUNCTIONS,
  ...RANGE_FUNCTIONS,
  ...METADATA_FUNCTIONS,
  ...GENAI_FUNCTIONS,
}
