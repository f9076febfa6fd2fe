/**
 * The capabilities of API tokens as schemas.
 */
import { DATASET_NAME_PATTERN } from '../dataset-name.ts'
import { ALL_DATASETS, DATASET_CAPABILITIES, ORG_CAPABILITIES, TOKEN_DATASETS_MAX } from '../rules/capability.ts'
import { DOCUMENTED, NO_OTHERS, orNull } from './parts.ts'
import Type from './type.ts'

/** Actions by resource. A resource that is absent has none. */
export type Capability = Readonly<Record<string, readonly string[]>>

/** @param isSent published clients send null for no actions; no answer has it */
function capabilityOf(actions: Readonly<Record<string, readonly string[]>>, isSent: boolean) {
  const members = Object.entries(actions).map(([resource, names]) => {
    const list = Type.Array(Type.Enum([...names], { type: 'string' }))
    return [resource, Type.Optional(isSent ? orNull(list) : list)]
  })
  return Type.Unsafe<Capability>(Type.Object(Object.fromEntries(members), isSent ? NO_OTHERS : { additionalProperties: false }))
}

const NAMES = `^\\${ALL_DATASETS}$|${DATASET_NAME_PATTERN.source}`

function byDataset(isSent: boolean) {
  return Type.Unsafe<Readonly<Record<string, Capability>>>({
    type: 'object',
    description: `What it may do with each dataset; \`${ALL_DATASETS}\` stands for all. One that names datasets reaches no others.`,
    maxProperties: TOKEN_DATASETS_MAX,
    patternProperties: { [NAMES]: capabilityOf(DATASET_CAPABILITIES, isSent) },
    additionalProperties: false,
    [DOCUMENTED]: { propertyNames: { pattern: NAMES } },
  })
}

export const SentDatasetCapabilities = byDataset(true)
export const DatasetCapabilities = byDataset(false)
export const SentOrgCapabilities = capabilityOf(ORG_CAPABILITIES, true)
export const OrgCapabilities = capabilityOf(ORG_CAPABILITIES, false)
