/** Permissions as capabilities: the two forms of what an API token may do. Pure. */
import { ALL_DATASETS, DATASET_CAPABILITIES } from './rules/capability.ts'
import type { Capability, Permission } from './token.ts'

/** What a token may do with each dataset, and with everything else. */
export interface Capabilities {
  datasets: Record<string, Capability>
  org: Capability
}

/**
 * @param names the only datasets that they are for
 * @returns the same as capabilities: those of datasets for these, or for all
 */
export function capabilitiesOf(permissions: readonly Permission[], names: readonly string[] = [ALL_DATASETS]): Capabilities {
  const given = (of: boolean) => {
    const capability: Record<string, string[]> = {}
    for (const permission of permissions) {
      const [resource = '', action = ''] = permission.split('|')
      if (Object.hasOwn(DATASET_CAPABILITIES, resource) === of) capability[resource] = [...(capability[resource] ?? []), action]
    }
    return capability
  }
  const ofDatasets = given(true)
  const isLimited = !names.includes(ALL_DATASETS)
  const named = isLimited || Object.keys(ofDatasets).length > 0 ? names : []
  return { datasets: Object.fromEntries(named.map((name) => [name, ofDatasets])), org: given(false) }
}
