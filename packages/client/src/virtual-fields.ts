/**
 * Virtual fields: expressions that queries of a dataset name like fields.
 */
import type { NewVirtualField, VirtualField } from '@deployment-annotations/contract/schemas/virtual-field'
import { VIRTUAL_FIELDS_PATH, virtualFieldPath } from '@deployment-annotations/contract/virtual-field'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { pathWith } from './request.ts'
import { createAsk, createResourceClient, listWith, type ResourceClient } from './resources.ts'

/** A change replaces the whole definition; its dataset stays. */
export interface VirtualFieldsClient extends Omit<ResourceClient<VirtualField, NewVirtualField, NewVirtualField>, 'list'> {
  /** @param dataset those of all datasets where it is left out, which the hosted service may not allow */
  list(dataset?: string, options?: CallOptions): Promise<VirtualField[]>
}

export function createVirtualFieldsClient(connection: Connection): VirtualFieldsClient {
  const ask = createAsk(connection)
  return {
    ...createResourceClient<VirtualField, NewVirtualField, NewVirtualField>(connection, VIRTUAL_FIELDS_PATH, virtualFieldPath),
    list: (dataset, options) =>
      ask('GET', pathWith(VIRTUAL_FIELDS_PATH, { dataset }), { read: listWith<VirtualField>('id'), options }),
  }
}
