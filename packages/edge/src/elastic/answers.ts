/**
 * Answers in the form of Elasticsearch: what became of the items of a bulk request, errors, and what its clients ask before they send.
 * They say what is needed to be sent to. Templates and lifecycles are acknowledged, with a warning that they have no effect.
 */
import type { BulkItem, ItemError } from './bulk.ts'

/** Clients look for it since 7.14. */
export const PRODUCT_HEADER = 'x-elastic-product'
export const PRODUCT = 'Elasticsearch'
/** Of the API. Clients compare it with their own; newer ones are told to accept older servers, see docs/integrations/elastic-bulk.md. */
const VERSION = '8.17.0'
const NAME = 'annotation-service'

/** @param errors of each item, `undefined` where it was stored */
export function bulkBody(items: readonly BulkItem[], errors: readonly (ItemError | undefined)[], tookMs: number): string {
  const created = { result: 'created', status: 201 }
  const texts = items.map(({ action, index, id }, at) =>
    JSON.stringify({ [action]: { _index: index, _id: id, ...(errors[at] ?? created) } }),
  )
  const hasErrors = errors.some((error) => error !== undefined)
  return `{"took":${Math.round(tookMs)},"errors":${hasErrors},"items":[${texts.join(',')}]}`
}

/** The answer to a single document that was stored. */
export function documentBody(index: string, id: string): string {
  const shards = { total: 1, successful: 1, failed: 0 }
  return JSON.stringify({ _index: index, _id: id, _version: 1, result: 'created', _shards: shards, _seq_no: 0, _primary_term: 1 })
}

/** What clients set up before they send, by path. Beats send nothing where their data stream cannot be made. */
const SETTING_NAMES = ['_template', '_index_template', '_component_template', '_ilm/policy', '_data_stream']
export const SETTINGS = SETTING_NAMES.map((name) => `/${name}/:id`)
/** In the form in which clients of Elasticsearch write warnings to their logs. */
export const NO_EFFECT = `299 ${PRODUCT}-${VERSION} "templates and lifecycles have no effect here: fields and retention are those of the dataset"`

export function errorBody(status: number, reason: string): string {
  const error = { type: status === 401 || status === 403 ? 'security_exception' : 'illegal_argument_exception', reason }
  return JSON.stringify({ error: { root_cause: [error], ...error }, status })
}

const LICENSE = { uid: NAME, type: 'basic', mode: 'basic', status: 'active' }

/** What is asked, by the path below that of the bulk API. */
export const PROBES: Readonly<Record<string, object | string>> = {
  '/': {
    name: NAME,
    cluster_name: NAME,
    cluster_uuid: NAME,
    version: { number: VERSION, build_flavor: 'default', minimum_wire_compatibility_version: '7.17.0' },
  },
  '/_license': { license: LICENSE },
  '/_xpack': { license: LICENSE, features: {} },
  '/_cluster/health': { cluster_name: NAME, status: 'green', timed_out: false, number_of_nodes: 1 },
  '/_cat/health': `${NAME} green\n`,
}
