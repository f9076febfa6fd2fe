/**
 * The health of the service as a schema: there is one that is well, every other is an error.
 */
import Type from 'typebox'
import { OneOf } from './parts.ts'

export const HealthSchema = Type.Object({ status: OneOf(['ok']) })
