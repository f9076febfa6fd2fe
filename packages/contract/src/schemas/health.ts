/**
 * The health of the service as a schema: only good health has one, anything else is an error.
 */
import Type from 'typebox'
import { OneOf } from './parts.ts'

export const HealthSchema = Type.Object({ status: OneOf(['ok']) })
