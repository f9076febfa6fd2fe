/**
 * The capabilities of API tokens, in the names and with the actions of the hosted service's OpenAPI document (v2, read 2026-11).
 * Those of resources that this service does not have (starred queries, users …) may be given as well, because Terraform files name
 * them: there is nothing here that they would allow.
 */

const ALL = ['create', 'read', 'update', 'delete'] as const

/** Actions by resource, of one dataset or of all. */
export const DATASET_CAPABILITIES = {
  ingest: ['create'],
  query: ['read'],
  data: ['delete'],
  share: ['create', 'read', 'delete'],
  starredQueries: ALL,
  trim: ['update'],
  vacuum: ['update'],
  virtualFields: ALL,
} as const

/** Actions by resource, of everything that the service has. */
export const ORG_CAPABILITIES = {
  annotations: ALL,
  apiTokens: ALL,
  auditLog: ['read'],
  billing: ['read', 'update'],
  dashboards: ALL,
  datasets: ALL,
  endpoints: ALL,
  flows: ALL,
  integrations: ALL,
  monitors: ALL,
  notifiers: ALL,
  rbac: ALL,
  sharedAccessKeys: ['read', 'update'],
  users: ALL,
  views: ALL,
} as const

/** Stands for every dataset, those to come included. */
export const ALL_DATASETS = '*'

/** Datasets that one token can name. */
export const TOKEN_DATASETS_MAX = 1_000
