/**
 * What a token was given, and the one answer to "may it do this, with this dataset". A token that names datasets reaches no others:
 * what it may do to annotations, monitors and datasets is about those it names, and what it may do to one of them (ingest, query,
 * trim …) is said for each. Deliberately not here: HTTP.
 */
import {
  ALL_DATASETS,
  type Capability,
  DATASET_CAPABILITIES,
  ORG_CAPABILITIES,
  PERMISSIONS,
  type Permission,
} from '@deployment-annotations/contract/token'
import type { StoredCapabilities } from '../records/token-records.ts'

type Capabilities = Readonly<StoredCapabilities>

/** @param dataset absent: with any dataset, for what is looked at before it is known which one is meant */
export function isCapable({ datasets, org }: Capabilities, permission: Permission, dataset?: string): boolean {
  const [resource = '', action = ''] = permission.split('|')
  if (!isOfDatasets(resource)) {
    return has(org, resource, action) && (dataset === undefined || reaches(datasets, dataset))
  }
  if (dataset === undefined) return Object.values(datasets).some((given) => has(given, resource, action))
  return [dataset, ALL_DATASETS].some((name) => has(ownMember(datasets, name), resource, action))
}

/** @returns the only datasets that it reaches; `undefined`: all */
export function datasetsOf({ datasets }: Capabilities): readonly string[] | undefined {
  const names = Object.keys(datasets)
  return names.length === 0 || names.includes(ALL_DATASETS) ? undefined : names
}

/** @returns what it may do with every dataset */
export function permissionsWithAll(capabilities: Capabilities): Permission[] {
  if (datasetsOf(capabilities)) return []
  return PERMISSIONS.filter((permission) => isCapable(capabilities, permission, ALL_DATASETS))
}

/** Everything there is. */
export const ALL_CAPABILITIES: Capabilities = { datasets: { [ALL_DATASETS]: DATASET_CAPABILITIES }, org: ORG_CAPABILITIES }

/** @returns the first thing that `inner` may do and `outer` may not, in words; `undefined`: there is none */
export function firstBeyond(outer: Capabilities, inner: Capabilities): string | undefined {
  for (const [name, given] of Object.entries(inner.datasets)) {
    for (const [resource, action] of pairs(given)) {
      const held = [name, ALL_DATASETS].some((one) => has(ownMember(outer.datasets, one), resource, action))
      if (!held) return `${resource}|${action} on ${name === ALL_DATASETS ? 'all datasets' : `the dataset "${name}"`}`
    }
  }
  const limit = datasetsOf(outer)
  for (const [resource, action] of pairs(inner.org)) {
    if (!has(outer.org, resource, action)) return `${resource}|${action}`
    const beyond = limit && (datasetsOf(inner) ?? [ALL_DATASETS]).find((name) => !limit.includes(name))
    if (beyond === undefined) continue
    return `${resource}|${action} on ${beyond === ALL_DATASETS ? 'all datasets' : `the dataset "${beyond}"`}`
  }
  return undefined
}

/** A dataset may have the name of what every object has. */
function ownMember<T>(of: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined
}

function has(given: Capability | undefined, resource: string, action: string): boolean {
  return (given && ownMember(given, resource)?.includes(action)) ?? false
}

function reaches(datasets: Capabilities['datasets'], dataset: string): boolean {
  return datasetsOf({ datasets, org: {} })?.includes(dataset) ?? true
}

function isOfDatasets(resource: string): boolean {
  return Object.hasOwn(DATASET_CAPABILITIES, resource)
}

function pairs(given: Capability): [resource: string, action: string][] {
  return Object.entries(given).flatMap(([resource, actions]) => actions.map((action): [string, string] => [resource, action]))
}
