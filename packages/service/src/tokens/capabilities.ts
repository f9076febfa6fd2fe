/**
 * What a token was given: whether one was given more than another, and what it may do with all datasets. Whether it may do something
 * is token.ts of the contract. Deliberately not here: HTTP.
 */
import {
  ALL_DATASETS,
  type Capability,
  DATASET_CAPABILITIES,
  datasetsOf,
  hasAction,
  isCapable,
  ORG_CAPABILITIES,
  ownMember,
  PERMISSIONS,
  type Permission,
} from '@deployment-annotations/contract/permission'
import type { StoredCapabilities } from '@deployment-annotations/records/tokens/token-records'

type Capabilities = Readonly<StoredCapabilities>

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
      const held = [name, ALL_DATASETS].some((one) => hasAction(ownMember(outer.datasets, one), resource, action))
      if (!held) return `${resource}|${action} on ${name === ALL_DATASETS ? 'all datasets' : `the dataset "${name}"`}`
    }
  }
  const limit = datasetsOf(outer)
  for (const [resource, action] of pairs(inner.org)) {
    if (!hasAction(outer.org, resource, action)) return `${resource}|${action}`
    const beyond = limit && (datasetsOf(inner) ?? [ALL_DATASETS]).find((name) => !limit.includes(name))
    if (beyond === undefined) continue
    return `${resource}|${action} on ${beyond === ALL_DATASETS ? 'all datasets' : `the dataset "${beyond}"`}`
  }
  return undefined
}

function pairs(given: Capability): [resource: string, action: string][] {
  return Object.entries(given).flatMap(([resource, actions]) => actions.map((action): [string, string] => [resource, action]))
}
