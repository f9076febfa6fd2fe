/**
 * Datasets, and who the token belongs to: small calls that programs make before they send events.
 */
import {
  DATASETS_PATH,
  type DatasetChange,
  datasetPath,
  fieldsPath,
  type NewDataset,
  trimPath,
  type Dataset as WireDataset,
  type DatasetField as WireField,
} from '@deployment-annotations/contract/dataset'
import { USER_PATH, type User } from '@deployment-annotations/contract/user'
import { type CallOptions, runCall } from './calls.ts'
import type { Connection } from './connection.ts'
import { parseJson, parseNothing, type Reply, unexpected } from './reply.ts'
import type { ApiRequest } from './request.ts'

/** Members that the hosted service may leave out are optional here. */
export type Dataset = Pick<WireDataset, 'id' | 'name' | 'description' | 'created'> & Partial<WireDataset>

/** Dotted for nested objects; the types seen in it are joined by `|`. */
export type DatasetField = Pick<WireField, 'name' | 'type'> & Partial<WireField>

type Owner = Pick<User, 'id' | 'name'>

export interface DatasetsClient {
  create(dataset: NewDataset, options?: CallOptions): Promise<Dataset>
  list(options?: CallOptions): Promise<Dataset[]>
  get(name: string, options?: CallOptions): Promise<Dataset>
  change(name: string, change: DatasetChange, options?: CallOptions): Promise<Dataset>
  /** Deletes a dataset with all its events. */
  delete(name: string, options?: CallOptions): Promise<void>
  /** Removes events older than a duration such as `720h`. */
  trim(name: string, maxDuration: string, options?: CallOptions): Promise<void>
  fields(name: string, options?: CallOptions): Promise<DatasetField[]>
  /** Whose token this is; clients check their credentials with it. */
  user(options?: CallOptions): Promise<Owner>
}

export function createDatasetsClient(connection: Connection): DatasetsClient {
  const run = <T>(request: ApiRequest, read: (reply: Reply) => T, options: CallOptions = {}) =>
    runCall(connection, { request, read }, options)
  return {
    create: (dataset, options) =>
      run({ method: 'POST', path: DATASETS_PATH, body: JSON.stringify(dataset) }, parseNamed<Dataset>, options),
    list: (options) => run({ method: 'GET', path: DATASETS_PATH }, parseNamedList<Dataset>, options),
    get: (name, options) => run({ method: 'GET', path: datasetPath(name) }, parseNamed<Dataset>, options),
    change: (name, change, options) =>
      run({ method: 'PUT', path: datasetPath(name), body: JSON.stringify(change) }, parseNamed<Dataset>, options),
    delete: (name, options) => run({ method: 'DELETE', path: datasetPath(name) }, parseNothing, options),
    trim: (name, maxDuration, options) =>
      run({ method: 'POST', path: trimPath(name), body: JSON.stringify({ maxDuration }) }, parseNothing, options),
    fields: (name, options) => run({ method: 'GET', path: fieldsPath(name) }, parseNamedList<DatasetField>, options),
    user: (options) => run({ method: 'GET', path: USER_PATH }, parseNamed<Owner>, options),
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
