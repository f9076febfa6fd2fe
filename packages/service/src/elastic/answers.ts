/**
 * Answers in the form of Elasticsearch: what became of the items of a bulk request, errors, and what its clients ask before they send.
 * They say what is needed to be sent to, and nothing about templates, pipelines or lifecycles, of which there are none.
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
  const texts = items.map(({ action, index, id }, at) => {
    const error = errors[at]
    const common = { ...(index !== undefined && { _index: index }), ...(id !== undefined && { _id: id }) }
    const outcome = error
      ? { status: error.status, error: { type: error.type, reason: error.reason } }
      : { result: 'created', status: 201 }
    return JSON.stringify({ [action]: { ...common, ...outcome } })
  })
  const hasErrors = errors.some((error) => error !== undefined)
  return `{"took":${Math.round(tookMs)},"errors":${hasErrors},"items":[${texts.join(',')}]}`
}

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
