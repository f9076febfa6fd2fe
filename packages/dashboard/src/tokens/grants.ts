/** The permissions of a token for people: what it may do, and with which datasets. Pure. */

import { ALL_DATASETS, type Capability, capabilitiesOf, type Permission } from '@deployment-annotations/contract/permission'
import type { Token } from '@deployment-annotations/contract/token'

interface Grant {
  /** Empty for all datasets, including future ones. */
  datasets: readonly string[]
  permissions: readonly string[]
}

/**
 * @returns what the token may do with all of its datasets, then what it may do with some; datasets with the same permissions are
 *   together
 */
export function grantsOf({ permissions, datasetCapabilities, orgCapabilities }: Token): Grant[] {
  const named = Object.entries(datasetCapabilities).filter(([name]) => name !== ALL_DATASETS)
  if (named.length === 0) return [{ datasets: [], permissions }]
  const isLimited = !Object.hasOwn(datasetCapabilities, ALL_DATASETS)
  const alike = Map.groupBy(named, ([, capability]) => namesOf(capability).join())
  const some = [...alike.values()]
    .map((all) => ({ datasets: all.map(([name]) => name), permissions: namesOf(all[0]?.[1] ?? {}) }))
    .filter((grant) => isLimited || grant.permissions.length > 0)
  if (!isLimited) return [{ datasets: [], permissions }, ...some]
  const org = namesOf(orgCapabilities)
  const [only] = some
  if (only && some.length === 1) return [{ datasets: only.datasets, permissions: [...org, ...only.permissions] }]
  const reached = { datasets: named.map(([name]) => name), permissions: org }
  return [...(org.length > 0 ? [reached] : []), ...some.filter((grant) => grant.permissions.length > 0)]
}

/** @param datasets the only datasets; empty for all */
export function membersOf(permissions: Permission[], datasets: readonly string[]) {
  if (datasets.length === 0) return { permissions }
  const { datasets: datasetCapabilities, org: orgCapabilities } = capabilitiesOf(permissions, datasets)
  return { datasetCapabilities, orgCapabilities }
}

function namesOf(capability: Capability): string[] {
  return Object.entries(capability).flatMap(([resource, actions]) => actions.map((action) => `${resource}|${action}`))
}
