/**
 * Virtual fields: expressions that queries of a dataset name like fields.
 */
import type { NewVirtualField, VirtualField } from '@deployment-annotations/contract/schemas/virtual-field'
import { VIRTUAL_FIELDS_PATH, virtualFieldPath } from '@deployment-annotations/contract/virtual-field'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { parseNothing } from './reply.ts'
import { createAsk, listWith, oneWith } from './resources.ts'

export interface VirtualFieldsClient {
  /**
   * A create whose answer is lost is not sent again, because the second would be refused as a name that is taken: the error's
   * `mayHaveTakenEffect` is then true, and the list shows whether the field is there.
   */
  create(field: NewVirtualField, options?: CallOptions): Promise<VirtualField>
  /** @param dataset those of all datasets where it is left out, which the hosted service may not allow */
  list(dataset?: string, options?: CallOptions): Promise<VirtualField[]>
  get(id: string, options?: CallOptions): Promise<VirtualField>
  /** Replaces the whole definition; its dataset stays. */
  change(id: string, field: NewVirtualField, options?: CallOptions): Promise<VirtualField>
  delete(id: string, options?: CallOptions): Promise<void>
}

const parseField = oneWith<VirtualField>('id')

export function createVirtualFieldsClient(connection: Connection): VirtualFieldsClient {
  const ask = createAsk(connection)
  return {
    create: (body, options) => ask('POST', VIRTUAL_FIELDS_PATH, { body, read: parseField, options, isSentOnce: true }),
    list(dataset, options) {
      const search = dataset === undefined ? '' : `?${new URLSearchParams({ dataset })}`
      return ask('GET', VIRTUAL_FIELDS_PATH + search, { read: listWith<VirtualField>('id'), options })
    },
    get: (id, options) => ask('GET', virtualFieldPath(id), { read: parseField, options }),
    change: (id, body, options) => ask('PUT', virtualFieldPath(id), { body, read: parseField, options }),
    delete: (id, options) => ask('DELETE', virtualFieldPath(id), { read: parseNothing, options }),
  }
}
