/**
 * The health of the service as a schema: only good health has one, anything else is an error.
 */

import { OneOf } from './parts.ts'
import Type from './type.ts'

export const HealthSchema = Type.Object({ status: OneOf(['ok']) })
