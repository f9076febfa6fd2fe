/**
 * What the members of an integration must obey, and what is meant where they are not given.
 */
import { WEBHOOK_OUTCOMES } from './webhook.ts'

/** Who reports deployments; `generic` is a script of one's own. */
export const PLATFORMS = ['vercel', 'github', 'netlify', 'generic'] as const

export const INTEGRATION_ID_PATTERN = /^int_[A-Za-z0-9_-]{1,64}$/

/** What a title may say of a deployment, in braces. */
export const TITLE_FACTS = ['project', 'environment', 'version', 'branch', 'commit', 'by'] as const

export const INTEGRATION_TYPE_DEFAULT = 'deploy'
export const INTEGRATION_TITLE_DEFAULT = '{project} {environment} {version}'

/**
 * Vercel and Netlify build every branch and pull request, and marks of those would bury the others; on GitHub and with one's own
 * scripts a deployment is made on purpose.
 */
export const DEFAULT_ENVIRONMENTS: Readonly<Record<(typeof PLATFORMS)[number], readonly string[]>> = {
  vercel: ['production'],
  netlify: ['production'],
  github: [],
  generic: [],
}

/** Platforms that make the secret themselves; for the others it may be made by the service. */
export const MAKES_OWN_SECRET: ReadonlySet<string> = new Set<(typeof PLATFORMS)[number]>(['vercel'])

/** Each secret of a platform is tried on each request that claims to be signed, so their number is bounded. */
export const INTEGRATIONS_PER_PLATFORM_MAX = 32
/** Anyone who has seen a signed request can try secrets at home; those of the platforms have 24 characters and more. */
export const WEBHOOK_SECRET_LENGTH_MIN = 16
export const WEBHOOK_SECRET_LENGTH_MAX = 1_024
/** Of datasets and of environments. */
export const INTEGRATION_ITEMS_MAX = 100
/** In Unicode code points; of an environment, too. */
export const INTEGRATION_NAME_POINTS_MAX = 256

/** Of each integration. */
export const DELIVERIES_KEPT = 20
/** `refused`: it was signed, but is not what the platform sends. */
export const DELIVERY_OUTCOMES = [...WEBHOOK_OUTCOMES, 'refused'] as const
