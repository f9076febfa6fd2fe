/**
 * Map fields: fields of a dataset whose objects are kept as one value each, so that their keys do not become fields.
 */
import { MAP_FIELD_CALLS, type MAP_FIELDS } from '@deployment-annotations/contract/map-field'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { type ClientOf, createCalls } from './resources.ts'

type Calls = ClientOf<typeof MAP_FIELD_CALLS, typeof MAP_FIELDS>

/** What is changed counts for events that are sent from then on. */
export interface MapFieldsClient extends Omit<Calls, 'create'> {
  /** Not sent again where its answer is lost, because the second would be refused; the list shows whether it is there. */
  create(dataset: string, name: string, options?: CallOptions): Promise<{ name: string }>
}

export function createMapFieldsClient(connection: Connection): MapFieldsClient {
  const calls = createCalls<Calls>(connection, MAP_FIELD_CALLS)
  return { ...calls, create: (dataset, name, options) => calls.create(dataset, { name }, options) }
}
