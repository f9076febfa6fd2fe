/**
 * What the service says about itself: its health, its figures, and the names of its query language. Specific to our service.
 */
import { HEALTH_PATH, METRICS_PATH } from '@deployment-annotations/contract/health'
import { LANGUAGE_PATH } from '@deployment-annotations/contract/query'
import type { Health } from '@deployment-annotations/contract/schemas/health'
import type { Language } from '@deployment-annotations/contract/schemas/language'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { createAsk, oneWith, oneWithLists } from './resources.ts'

export interface ServiceInfoClient {
  /** Its parts, each with what is wrong with it. @throws ServerError where nobody should be sent there */
  health(options?: CallOptions): Promise<Health>
  /** The figures of its process, in Prometheus' text format. */
  metrics(options?: CallOptions): Promise<string>
  /** Every operator, function and source of its query language, for editors. */
  language(options?: CallOptions): Promise<Language>
}

export function createServiceInfoClient(connection: Connection): ServiceInfoClient {
  const ask = createAsk(connection)
  return {
    health: (options) => ask('GET', HEALTH_PATH, { read: oneWith<Health>('status'), options }),
    metrics: (options) => ask('GET', METRICS_PATH, { headers: { accept: 'text/plain' }, read: ({ text }) => text, options }),
    language: (options) => ask('GET', LANGUAGE_PATH, { read: oneWithLists<Language>('operators', 'functions'), options }),
  }
}
