/**
 * Datasets, and who the token belongs to: small calls that programs make before they send events.
 */
import { type CallOptions, runCall } from './calls.ts'
import type { Connection } from './connection.ts'
import { parseJson, parseNothing, type Reply, unexpected } from './reply.ts'
import type { ApiRequest } from './request.ts'

export interface Dataset {
  id: string
  name: string
  description: string
  /** RFC 3339. */
  created: string
  updatedAt?: string
  who?: string
  kind?: string
}

export interface NewDataset {
  name: string
  description?: string
  /** How long events are kept, with `useRetentionPeriod`. */
  retentionDays?: number
  useRetentionPeriod?: boolean
}

export interface DatasetField {
  /** Dotted for nested objects; a dot within a key is `\.`. */
  name: string
  /** `integer`, `string` and so on; several, joined by `|`. */
  type: string
}

export interface DatasetsClient {
  create(dataset: NewDataset, options?: CallOptions): Promise<Dataset>
  list(options?: CallOptions): Promise<Dataset[]>
  get(name: string, options?: CallOptions): Promise<Dataset>
  change(name: string, change: Omit<NewDataset, 'name'>, options?: CallOptions): Promise<Dataset>
  /** Deletes a dataset with all its events. */
  delete(name: string, options?: CallOptions): Promise<void>
  /** Removes events older than a duration such as `720h`. */
  trim(name: string, maxDuration: string, options?: CallOptions): Promise<void>
  fields(name: string, options?: CallOptions): Promise<DatasetField[]>
  /** Whose token this is; clients check their credentials with it. */
  user(options?: CallOptions): Promise<{ id: string; name: string }>
}

const DATASETS_PATH = '/v2/datasets'

export function createDatasetsClient(connection: Connection): DatasetsClient {
  const run = <T>(request: ApiRequest, read: (reply: Reply) => T, options: CallOptions = {}) =>
    runCall(connection, { request, read }, options)
  const pathOf = (name: string, rest = '') => `${DATASETS_PATH}/${encodeURIComponent(name)}${rest}`
  return {
    create: (dataset, options) =>
      run({ method: 'POST', path: DATASETS_PATH, body: JSON.stringify(dataset) }, parseNamed<Dataset>, options),
    list: (options) => run({ method: 'GET', path: DATASETS_PATH }, parseNamedList<Dataset>, options),
    get: (name, options) => run({ method: 'GET', path: pathOf(name) }, parseNamed<Dataset>, options),
    change: (name, change, options) =>
      run({ method: 'PUT', path: pathOf(name), body: JSON.stringify(change) }, parseNamed<Dataset>, options),
    delete: (name, options) => run({ method: 'DELETE', path: pathOf(name) }, parseNothing, options),
    trim: (name, maxDuration, options) =>
      run({ method: 'POST', path: pathOf(name, '/trim'), body: JSON.stringify({ maxDuration }) }, parseNothing, options),
    fields: (name, options) => run({ method: 'GET', path: pathOf(name, '/fields') }, parseNamedList<DatasetField>, options),
    user: (options) => run({ method: 'GET', path: '/v2/user' }, parseNamed<{ id: string; name: string }>, options),
  }
}

function parseNamed<T>(reply: Reply): T {
  const body = parseJson(reply)
  if (!isNamed(body)) throw unexpected(reply, 'an object with a name')
  return body as T
}

function parseNamedList<T>(reply: Reply): T[] {
  const body = parseJson(reply)
  if (!Array.isArray(body) || !body.every(isNamed)) throw unexpected(reply, 'a list of objects with names')
  return body as T[]
}

function isNamed(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
}
