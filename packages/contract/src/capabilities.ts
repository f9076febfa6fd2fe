/**
 * Permissions as capabilities, the two forms of what an API token may do, and the one answer to "may it do this, with this dataset".
 * A token that names datasets reaches no others: what it may do to annotations, monitors and datasets is about those it names, and
 * what it may do to one of them (ingest, query, trim …) is said for each. Pure.
 */
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

type Given = Readonly<Capabilities>

/** @param dataset absent: with any dataset, for what is looked at before it is known which one is meant */
export function isCapable({ datasets, org }: Given, permission: Permission, dataset?: string): boolean {
  const [resource = '', action = ''] = permission.split('|')
  if (!Object.hasOwn(DATASET_CAPABILITIES, resource)) {
    const limit = datasetsOf({ datasets })
    return hasAction(org, resource, action) && (dataset === undefined || (limit?.includes(dataset) ?? true))
  }
  if (dataset === undefined) return Object.values(datasets).some((given) => hasAction(given, resource, action))
  return [dataset, ALL_DATASETS].some((name) => hasAction(ownMember(datasets, name), resource, action))
}

/** @returns the only datasets that it reaches; `undefined`: all */
export function datasetsOf({ datasets }: Pick<Given, 'datasets'>): readonly string[] | undefined {
  const names = Object.keys(datasets)
  return names.length === 0 || names.includes(ALL_DATASETS) ? undefined : names
}

export function hasAction(given: Capability | undefined, resource: string, action: string): boolean {
  return (given && ownMember(given, resource)?.includes(action)) ?? false
}

/** A dataset may have the name of what every object has. */
export function ownMember<T>(of: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined
}
