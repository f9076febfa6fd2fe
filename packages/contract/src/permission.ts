/**
 * What a token may be allowed to do, in two forms: permissions, and the capabilities of the hosted service. A token
 * that names datasets reaches no others: what it may do to annotations, monitors and datasets is about those it names, and what it may do
 * to one of them (ingest, query, trim …) is said for each. Pure.
 */
const ALL_ACTIONS = ['create', 'read', 'update', 'delete'] as const
const allOf = <Resource extends string>(resource: Resource) => ALL_ACTIONS.map((action) => `${resource}|${action}` as const)

/**
 * What an API token may be allowed to do, named `resource|action`. A personal token may do everything. Each is a capability as well
 * (see below): of datasets where its resource is one of theirs, otherwise of the organization.
 */
export const PERMISSIONS = [
  ...allOf('annotations'),
  'ingest|create',
  'query|read',
  ...allOf('datasets'),
  'trim|update',
  ...allOf('virtualFields'),
  ...allOf('monitors'),
  ...allOf('integrations'),
  ...allOf('notifiers'),
  ...allOf('views'),
  ...allOf('apiTokens'),
] as const
export type Permission = (typeof PERMISSIONS)[number]

/*
 * The capabilities of API tokens, in the names and with the actions of the hosted service's OpenAPI document (v2, read 2026-11). Those
 * of resources that this service does not have (starred queries, users …) may be given as well, because Terraform files name them:
 * there is nothing here that they would allow.
 */

/** The actions that a token can be given for one dataset or for all, by resource. */
export const DATASET_CAPABILITIES = {
  ingest: ['create'],
  query: ['read'],
  data: ['delete'],
  share: ['create', 'read', 'delete'],
  starredQueries: ALL_ACTIONS,
  trim: ['update'],
  vacuum: ['update'],
  virtualFields: ALL_ACTIONS,
} as const

/** The actions that a token can be given for everything else that the service has, by resource. */
export const ORG_CAPABILITIES = {
  annotations: ALL_ACTIONS,
  apiTokens: ALL_ACTIONS,
  auditLog: ['read'],
  billing: ['read', 'update'],
  dashboards: ALL_ACTIONS,
  datasets: ALL_ACTIONS,
  endpoints: ALL_ACTIONS,
  flows: ALL_ACTIONS,
  integrations: ALL_ACTIONS,
  monitors: ALL_ACTIONS,
  notifiers: ALL_ACTIONS,
  rbac: ALL_ACTIONS,
  sharedAccessKeys: ['read', 'update'],
  users: ALL_ACTIONS,
  views: ALL_ACTIONS,
} as const

/** A name that stands for every dataset, those to come included. */
export const ALL_DATASETS = '*'

/** The actions that are allowed, by resource. A resource that is absent has none. */
export type Capability = Readonly<Record<string, readonly string[]>>

/** What a token may do with each dataset, and with everything else. */
export interface Capabilities {
  datasets: Record<string, Capability>
  org: Capability
}

/**
 * @param names the only datasets that the permissions are for
 * @returns the same as capabilities; those of datasets are given for each of `names`
 */
export function capabilitiesOf(permissions: readonly Permission[], names: readonly string[] = [ALL_DATASETS]): Capabilities {
  const given = (isOfDataset: boolean) => {
    const capability: Record<string, string[]> = {}
    for (const permission of permissions) {
      const [resource = '', action = ''] = permission.split('|')
      if (Object.hasOwn(DATASET_CAPABILITIES, resource) === isOfDataset)
        capability[resource] = [...(capability[resource] ?? []), action]
    }
    return capability
  }
  const ofDatasets = given(true)
  const isLimited = !names.includes(ALL_DATASETS)
  const named = isLimited || Object.keys(ofDatasets).length > 0 ? names : []
  return { datasets: Object.fromEntries(named.map((name) => [name, ofDatasets])), org: given(false) }
}

/**
 * Whether a token may do something.
 * @param dataset the dataset it is done to; without it, whether there is any dataset to which it may be done
 */
export function isCapable({ datasets, org }: Readonly<Capabilities>, permission: Permission, dataset?: string): boolean {
  const [resource = '', action = ''] = permission.split('|')
  if (!Object.hasOwn(DATASET_CAPABILITIES, resource)) {
    const limit = datasetsOf({ datasets })
    return hasAction(org, resource, action) && (dataset === undefined || (limit?.includes(dataset) ?? true))
  }
  if (dataset === undefined) return Object.values(datasets).some((given) => hasAction(given, resource, action))
  return [dataset, ALL_DATASETS].some((name) => hasAction(ownMember(datasets, name), resource, action))
}

/** @returns the only datasets that a token reaches, or `undefined` if it reaches all */
export function datasetsOf({ datasets }: Pick<Capabilities, 'datasets'>): readonly string[] | undefined {
  const names = Object.keys(datasets)
  return names.length === 0 || names.includes(ALL_DATASETS) ? undefined : names
}

export function hasAction(given: Capability | undefined, resource: string, action: string): boolean {
  return (given && ownMember(given, resource)?.includes(action)) ?? false
}

/** Reads a member by a name from outside: a dataset may be called `constructor`, which every object has. */
export function ownMember<T>(of: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined
}
