/**
 * Tells a client of Elasticsearch from a browser where both ask for `/`: it comes with credentials, and does not ask for a page.
 * In the form that the router takes.
 */
import type { IncomingMessage } from 'node:http'

export const ELASTIC_CLIENT = {
  name: 'elasticClient',
  storage() {
    // What the router keeps there is its own.
    const handlers = new Map<string, never>()
    return {
      get: (key: string): never => handlers.get(key) ?? (null as never),
      set: (key: string, handler: never) => void handlers.set(key, handler),
    }
  },
  deriveConstraint: ({ headers }: IncomingMessage): string =>
    headers.authorization !== undefined && !headers.accept?.includes('text/html') ? 'yes' : 'no',
} as const
