/**
 * An integration: whose deployments are marked, on which charts, and with which title; the rules that its settings
 * obey. Deliberately not here: how it is kept, encryption, and what the platforms send.
 */
import { randomBytes } from 'node:crypto'
import { ANNOTATION_TYPE_PATTERN, TITLE_POINTS_MAX, TYPE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { countPoints } from '@deployment-annotations/contract/text'
import type { IntegrationRecord } from '../../records/integration-records.ts'

export const PLATFORMS = ['vercel', 'github', 'netlify', 'generic'] as const
export type PlatformName = (typeof PLATFORMS)[number]

/** An integration without its secret; its title has the names of {@link TITLE_FACTS} in braces. */
export interface Integration extends Omit<IntegrationRecord, 'encryptedSecret' | 'platform'> {
  platform: PlatformName
}

/** What a person sets. */
type IntegrationSettings = Pick<Integration, 'name' | 'datasets' | 'type' | 'title' | 'environments'>

/** What a title may say of a deployment. */
export const TITLE_FACTS = ['project', 'environment', 'version', 'branch', 'commit', 'by'] as const
type TitleFact = (typeof TITLE_FACTS)[number]

export const DEFAULT_TYPE = 'deploy'
export const DEFAULT_TITLE = '{project} {environment} {version}'

/**
 * Vercel and Netlify build every branch and pull request, and marks of those would bury the others; on GitHub and with one's own
 * scripts a deployment is made on purpose.
 */
export const DEFAULT_ENVIRONMENTS: Readonly<Record<PlatformName, readonly string[]>> = {
  vercel: ['production'],
  netlify: ['production'],
  github: [],
  generic: [],
}

/** Platforms that make the secret themselves; for the others it may be made here. */
export const MAKES_OWN_SECRET: ReadonlySet<PlatformName> = new Set(['vercel'])

/** Each secret of a platform is tried on each request that claims to be signed, so their number is bounded. */
export const INTEGRATIONS_PER_PLATFORM_MAX = 32
/** Anyone who has seen a signed request can try secrets at home; those of the platforms have 24 characters and more. */
const SECRET_LENGTH_MIN = 16
const SECRET_LENGTH_MAX = 1_024
const NAMES_MAX = 100
const NAME_POINTS_MAX = 256

export function newIntegrationId(): string {
  return `int_${randomBytes(6).toString('hex')}`
}

/** @returns a secret of 256 random bits in the form of Standard Webhooks, which any platform takes as a text too */
export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** @throws Error, without the secret, when it is too short to be one */
export function checkSecret(secret: string): void {
  if (secret.length < SECRET_LENGTH_MIN || secret.length > SECRET_LENGTH_MAX) {
    throw new Error(`the secret must have ${SECRET_LENGTH_MIN} to ${SECRET_LENGTH_MAX} characters, got ${secret.length}`)
  }
}

/** @throws Error naming the setting, its value and the rule */
export function checkSettings({ name, datasets, type, title, environments }: IntegrationSettings): void {
  if (countPoints(name) > NAME_POINTS_MAX) throw new Error(`the name must have at most ${NAME_POINTS_MAX} characters`)
  if (datasets.length === 0 || datasets.length > NAMES_MAX)
    throw new Error(`give 1 to ${NAMES_MAX} datasets, got ${datasets.length}`)
  for (const dataset of datasets) {
    if (!DATASET_NAME_PATTERN.test(dataset)) {
      throw new Error(`${JSON.stringify(dataset)} is not the name of a dataset; it must match ${DATASET_NAME_PATTERN.source}`)
    }
  }
  if (!ANNOTATION_TYPE_PATTERN.test(type) || countPoints(type) > TYPE_POINTS_MAX) {
    throw new Error(`${JSON.stringify(type)} is not a type; it must match ${ANNOTATION_TYPE_PATTERN.source}`)
  }
  if (title.trim() === '' || countPoints(title) > TITLE_POINTS_MAX) {
    throw new Error(`the title must have 1 to ${TITLE_POINTS_MAX} characters, got ${JSON.stringify(title)}`)
  }
  for (const [placeholder, fact] of title.matchAll(/\{([^{}]*)\}/g)) {
    if (!isTitleFact(fact)) {
      throw new Error(`the title cannot have ${placeholder}; it may have ${TITLE_FACTS.map((known) => `{${known}}`).join(', ')}`)
    }
  }
  if (environments.length > NAMES_MAX)
    throw new Error(`at most ${NAMES_MAX} environments can be given, got ${environments.length}`)
}

export function isTitleFact(text: string | undefined): text is TitleFact {
  return (TITLE_FACTS as readonly unknown[]).includes(text)
}

export function isPlatform(value: unknown): value is PlatformName {
  return (PLATFORMS as readonly unknown[]).includes(value)
}
