/**
 * What the service says about itself: its health, its figures, and the names of its query language. Specific to our service.
 */
import { HEALTH_CALLS, type HEALTH_OPERATIONS } from '@deployment-annotations/contract/health'
import { type LANGUAGE, LANGUAGE_CALLS } from '@deployment-annotations/contract/language'
import type { Connection } from './connection.ts'
import { type ClientOf, createCalls } from './resources.ts'

type HealthClient = ClientOf<typeof HEALTH_CALLS, typeof HEALTH_OPERATIONS>
type LanguageClient = ClientOf<typeof LANGUAGE_CALLS, typeof LANGUAGE>

export interface ServiceInfoClient extends HealthClient, LanguageClient {}

export function createServiceInfoClient(connection: Connection): ServiceInfoClient {
  return {
    ...createCalls<HealthClient>(connection, HEALTH_CALLS),
    ...createCalls<LanguageClient>(connection, LANGUAGE_CALLS),
  }
}
