/**
 * Virtual fields: expressions that queries of a dataset name like fields.
 */
import {
  type NewVirtualField,
  VIRTUAL_FIELDS_PATH,
  type VirtualField,
  virtualFieldPath,
} from '@deployment-annotations/contract/virtual-field'
import { type CallOptions, runCall } from './calls.ts'
import type { Connection } from './connection.ts'
import { parseJson, parseNothing, type Reply, unexpected } from './reply.ts'
import type { ApiRequest } from './request.ts'

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

export function createVirtualFieldsClient(connection: Connection): VirtualFieldsClient {
  const run = <T>(request: ApiRequest, read: (reply: Reply) => T, options: CallOptions = {}) =>
    runCall(connection, { request, read }, options)
  return {
    create(field, options = {}) {
      const request: ApiRequest = { method: 'POST', path: VIRTUAL_FIELDS_PATH, body: JSON.stringify(field) }
      return runCall(connection, { request, read: parseOne, recover: async () => 'give-up' }, options)
    },
    list: (dataset, options) => run(listOf(dataset), parseList, options),
    get: (id, options) => run({ method: 'GET', path: virtualFieldPath(id) }, parseOne, options),
    change: (id, field, options) =>
      run({ method: 'PUT', path: virtualFieldPath(id), body: JSON.stringify(field) }, parseOne, options),
    delete: (id, options) => run({ method: 'DELETE', path: virtualFieldPath(id) }, parseNothing, options),
  }
}

function listOf(dataset: string | undefined): ApiRequest {
  const search = dataset === undefined ? '' : `?${new URLSearchParams({ dataset })}`
  return { method: 'GET', path: VIRTUAL_FIELDS_PATH + search }
}

function parseOne(reply: Reply): VirtualField {
  const body = parseJson(reply)
  if (!isVirtualField(body)) throw unexpected(reply, 'a virtual field with an id')
  return body
}

function parseList(reply: Reply): VirtualField[] {
  const body = parseJson(reply)
  if (!Array.isArray(body) || !body.every(isVirtualField)) throw unexpected(reply, 'a list of virtual fields with ids')
  return body
}

function isVirtualField(value: unknown): value is VirtualField {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
}
