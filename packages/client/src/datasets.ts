/**
 * Datasets, and who the token belongs to: small calls that programs make before they send events.
 */
import { type CallOptions, runCall, type Settings } from './calls.ts'
import { parseJson, parseNothing, unexpected } from './reply.ts'
import type { Call, Reply } from './request.ts'

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

export function createDatasetsClient(settings: Settings): DatasetsClient {
  const run = <T>(method: Call['method'], path: string, read: (reply: Reply) => T, options: CallOptions = {}, body?: object) =>
    runCall(settings, { method, path, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }, read, options)
  const pathOf = (name: string, rest = '') => `${DATASETS_PATH}/${encodeURIComponent(name)}${rest}`
  return {
    create: (dataset, options) => run('POST', DATASETS_PATH, parseNamed<Dataset>, options, dataset),
    list: (options) => run('GET', DATASETS_PATH, parseNamedList<Dataset>, options),
    get: (name, options) => run('GET', pathOf(name), parseNamed<Dataset>, options),
    change: (name, change, options) => run('PUT', pathOf(name), parseNamed<Dataset>, options, change),
    delete: (name, options) => run('DELETE', pathOf(name), parseNothing, options),
    trim: (name, maxDuration, options) => run('POST', pathOf(name, '/trim'), parseNothing, options, { maxDuration }),
    fields: (name, options) => run('GET', pathOf(name, '/fields'), parseNamedList<DatasetField>, options),
    user: (options) => run('GET', '/v2/user', parseNamed<{ id: string; name: string }>, options),
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
