/**
 * The health of the service as a schema: only a store that can be read has one, anything else is an error.
 */

import { OneOf } from './parts.ts'
import Type from './type.ts'

export const HealthSchema = Type.Object({
  status: OneOf(['ok', 'degraded'], { description: 'degraded: events of some datasets are missing, all else works.' }),
  damagedDatasets: Type.Optional(
    Type.Array(Type.String(), { description: 'Names of the datasets whose events are missing, all or some.' }),
  ),
})
