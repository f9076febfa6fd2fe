/** The permissions of a token for people: what it may do, and with which datasets. Pure. */

import { ALL_DATASETS, type Capability, capabilitiesOf, type Permission } from '@deployment-annotations/contract/permission'
import type { Token } from '@deployment-annotations/contract/token'

interface Grant {
  /** Empty for all datasets, including future ones. */
  datasets: readonly string[]
  permissions: readonly string[]
}

/** @returns what the token may do with all datasets, then what it may do with some; datasets with the same permissions are together */
export function grantsOf({ permissions, datasetCapabilities, orgCapabilities }: Token): Grant[] {
  const { [ALL_DATASETS]: all, ...named } = datasetCapabilities
  const isLimited = all === undefined && Object.keys(named).length > 0
  const everywhere: Grant[] = isLimited ? [] : [{ datasets: [], permissions }]
  // One that names datasets reaches no others, whatever else it may do.
  const org = isLimited ? namesOf(orgCapabilities) : []
  const byDataset = Object.entries(named).map(([dataset, own]) => ({ dataset, permissions: [...org, ...namesOf(own)] }))
  const alike = Map.groupBy(byDataset, (one) => one.permissions.join())
  const some = [...alike.values()].map((same) => ({
    datasets: same.map(({ dataset }) => dataset),
    permissions: same[0]?.permissions ?? [],
  }))
  return [...everywhere, ...some].filter((grant) => grant.permissions.length > 0)
}

/** @param datasets the only datasets; empty for all */
export function membersOf(permissions: readonly Permission[], datasets: readonly string[]) {
  const given = capabilitiesOf(permissions, datasets.length > 0 ? datasets : undefined)
  return { datasetCapabilities: given.datasets, orgCapabilities: given.org }
}

function namesOf(capability: Capability): string[] {
  return Object.entries(capability).flatMap(([resource, actions]) => actions.map((action) => `${resource}|${action}`))
}
