/**
 * What a token may be, and may be allowed to do.
 */

/**
 * What an API token may be allowed to do, named `resource|action`. A personal token may do everything. Each is a capability as well
 * (capability.ts): of datasets where its resource is one of theirs, otherwise of the organization.
 */
export const PERMISSIONS = [
  'annotations|create',
  'annotations|read',
  'annotations|update',
  'annotations|delete',
  'ingest|create',
  'query|read',
  'datasets|create',
  'datasets|read',
  'datasets|update',
  'datasets|delete',
  'trim|update',
  'virtualFields|create',
  'virtualFields|read',
  'virtualFields|update',
  'virtualFields|delete',
  'monitors|create',
  'monitors|read',
  'monitors|update',
  'monitors|delete',
  'integrations|create',
  'integrations|read',
  'integrations|update',
  'integrations|delete',
  'views|create',
  'views|read',
  'views|update',
  'views|delete',
  'apiTokens|create',
  'apiTokens|read',
  'apiTokens|update',
  'apiTokens|delete',
] as const

export const TOKEN_KINDS = ['api', 'personal'] as const
export const TOKEN_ID_PATTERN = /^tok_[A-Za-z0-9_-]{1,64}$/
/** In Unicode code points. */
export const TOKEN_NAME_POINTS_MAX = 256
/** As {@link TOKEN_NAME_POINTS_MAX}. */
export const TOKEN_DESCRIPTION_POINTS_MAX = 512
