/**
 * Virtual fields: expressions that queries of a dataset name like fields.
 */
import { VIRTUAL_FIELD_CALLS, type VIRTUAL_FIELDS, type VirtualField } from '@deployment-annotations/contract/virtual-field'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { type ClientOf, createCalls } from './resources.ts'

type Calls = ClientOf<typeof VIRTUAL_FIELD_CALLS, typeof VIRTUAL_FIELDS>

/** A change replaces the whole definition; its dataset stays. */
export interface VirtualFieldsClient extends Omit<Calls, 'list'> {
  /** @param dataset those of all datasets if it is left out, which the hosted service may not allow */
  list(dataset?: string, options?: CallOptions): Promise<VirtualField[]>
}

export function createVirtualFieldsClient(connection: Connection): VirtualFieldsClient {
  const calls = createCalls<Calls>(connection, VIRTUAL_FIELD_CALLS)
  return { ...calls, list: (dataset, options) => calls.list({ dataset }, options) }
}
