/**
 * Integrations, which create annotations for the deployments of a platform, and the webhooks that the platforms send: paths, closed lists, bounds, and
 * what is meant where a member is not given. Specific to this service. The shapes are in schemas/integration.ts.
 */
import type { PlatformName } from './platform.ts'
import { toSegment } from './text.ts'

export const INTEGRATIONS_PATH = '/v2/integrations'

/** @returns the path of one integration, its id escaped */
export function integrationPath(id: string): string {
  return `${INTEGRATIONS_PATH}/${toSegment(id)}`
}

/** @returns where its last deliveries are listed */
export function deliveriesPath(id: string): string {
  return `${integrationPath(id)}/deliveries`
}

/** Where a body that an integration would get is tried. */
export const PREVIEW_PATH = `${INTEGRATIONS_PATH}/preview`

/** @returns where a new secret is made for it */
export function newSecretPath(id: string): string {
  return `${integrationPath(id)}/regenerate`
}

export const WEBHOOKS_PATH = '/v1/integrations'

/** @returns where the webhooks of an integration go; without an id, those of the oldest integrations of the platform */
export function webhookPath(platform: PlatformName, id?: string): string {
  return `${WEBHOOKS_PATH}/${platform}${id === undefined ? '' : `/${toSegment(id)}`}`
}

/** The statuses that a deployment of the platform `generic` can report. */
export const DEPLOYMENT_STATUSES = ['started', 'succeeded', 'failed', 'canceled'] as const

/** What became of the annotation of a webhook; a repeat is `unchanged`. */
export const WEBHOOK_OUTCOMES = ['created', 'changed', 'unchanged', 'ignored'] as const

export const INTEGRATION_ID_PATTERN = /^int_[A-Za-z0-9_-]{1,64}$/

/** The facts about a deployment that a title can contain, each in braces. */
export const TITLE_FACTS = ['project', 'environment', 'version', 'branch', 'commit', 'by'] as const

export function isTitleFact(text: string | undefined): text is (typeof TITLE_FACTS)[number] {
  return (TITLE_FACTS as readonly unknown[]).includes(text)
}

export const INTEGRATION_TYPE_DEFAULT = 'deploy'
export const INTEGRATION_TITLE_DEFAULT = '{project} {environment} {version}'

/** All of them are in the memory of the service. */
export const INTEGRATIONS_PER_PLATFORM_MAX = 1_000
/** Where an address names no integration, so many secrets, the oldest, are tried on each request that claims to be signed. */
export const TRIED_WITHOUT_ID_MAX = 32
/** How many rules an integration can have. */
export const INTEGRATION_RULES_MAX = 100
/** Somebody who has one signed request can guess short secrets offline. Secrets of the platforms have at least 24 characters. */
export const WEBHOOK_SECRET_LENGTH_MIN = 16
export const WEBHOOK_SECRET_LENGTH_MAX = 1_024
/** How many datasets, and how many environments, one integration can have. */
export const INTEGRATION_ITEMS_MAX = 100
/** The longest name of an integration or of an environment, in Unicode code points. */
export const INTEGRATION_NAME_POINTS_MAX = 256

/** The longest expression of a mapping, in Unicode code points. */
export const MAPPING_POINTS_MAX = 512
/** How many words of states a mapping can explain. */
export const MAPPING_STATES_MAX = 100

/** How many deliveries are kept for each integration. */
export const DELIVERIES_KEPT = 20
/** What became of a webhook; `refused` means that it was signed, but is not what the platform sends. */
export const DELIVERY_OUTCOMES = [...WEBHOOK_OUTCOMES, 'refused'] as const
