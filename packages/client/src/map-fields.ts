/**
 * Map fields: fields of a dataset whose objects are kept as one value each, so that their keys do not become fields.
 */
import { mapFieldPath, mapFieldsPath } from '@deployment-annotations/contract/dataset'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { parseNothing } from './reply.ts'
import { createAsk, oneWith, parseTexts } from './resources.ts'

/** What is changed counts for events that are sent from then on. */
export interface MapFieldsClient {
  /** Their names. */
  list(dataset: string, options?: CallOptions): Promise<string[]>
  /** Not sent again where its answer is lost, because the second would be refused; the list shows whether it is there. */
  create(dataset: string, name: string, options?: CallOptions): Promise<{ name: string }>
  /** Says which fields are map fields, and that no other is. */
  replace(dataset: string, names: readonly string[], options?: CallOptions): Promise<string[]>
  /** Makes it an ordinary field. */
  delete(dataset: string, name: string, options?: CallOptions): Promise<void>
}

export function createMapFieldsClient(connection: Connection): MapFieldsClient {
  const ask = createAsk(connection)
  return {
    list: (dataset, options) => ask('GET', mapFieldsPath(dataset), { read: parseTexts, options }),
    create: (dataset, name, options) =>
      ask('POST', mapFieldsPath(dataset), { body: { name }, read: oneWith<{ name: string }>('name'), options, isSentOnce: true }),
    replace: (dataset, body, options) => ask('PUT', mapFieldsPath(dataset), { body, read: parseTexts, options }),
    delete: (dataset, name, options) => ask('DELETE', mapFieldPath(dataset, name), { read: parseNothing, options }),
  }
}
