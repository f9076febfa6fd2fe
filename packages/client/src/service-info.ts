/**
 * What the service says about itself: its health, its figures, and the names of its query language. Specific to our service.
 */
import { HEALTH_PATH, METRICS_PATH } from '@deployment-annotations/contract/health'
import { type LANGUAGE, LANGUAGE_CALLS } from '@deployment-annotations/contract/language'
import type { Health } from '@deployment-annotations/contract/schemas/health'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { type ClientOf, createAsk, createCalls, oneWith } from './resources.ts'

type LanguageClient = ClientOf<typeof LANGUAGE_CALLS, typeof LANGUAGE>

export interface ServiceInfoClient extends LanguageClient {
  /** Its parts, each with what is wrong with it. @throws ServerError where nobody should be sent there */
  health(options?: CallOptions): Promise<Health>
  /** The figures of its process, in Prometheus' text format. */
  metrics(options?: CallOptions): Promise<string>
}

export function createServiceInfoClient(connection: Connection): ServiceInfoClient {
  const ask = createAsk(connection)
  return {
    ...createCalls<HealthClient>(connection, HEALTH_CALLS),
    ...createCalls<LanguageClient>(connection, LANGUAGE_CALLS),
  }
}
