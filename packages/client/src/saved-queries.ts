/**
 * Queries that were saved when they were asked, with `saveAsKind`.
 */
import { savedQueryPath } from '@deployment-annotations/contract/query'
import type { SavedQuery } from '@deployment-annotations/contract/schemas/query'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { createAsk, oneWith } from './resources.ts'

export interface SavedQueriesClient {
  /** @param id `savedQueryId` of the result of a query with `saveAsKind` */
  get(id: string, options?: CallOptions): Promise<SavedQuery>
}

export function createSavedQueriesClient(connection: Connection): SavedQueriesClient {
  const ask = createAsk(connection)
  return { get: (id, options) => ask('GET', savedQueryPath(id), { read: oneWith<SavedQuery>('id'), options }) }
}
