/**
 * An integration: whose deployments get annotations, on which charts, and with which title; the rules that its settings
 * obey. Deliberately not here: how it is kept, encryption, and what the platforms send.
 */
import { randomBytes } from 'node:crypto'
import {
  ANNOTATION_TYPE_PATTERN,
  TITLE_POINTS_MAX,
  TYPE_POINTS_MAX,
  TYPE_RULE,
} from '@deployment-annotations/contract/annotation'
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import {
  INTEGRATION_ITEMS_MAX,
  INTEGRATION_NAME_POINTS_MAX,
  isTitleFact,
  TITLE_FACTS,
  WEBHOOK_SECRET_LENGTH_MAX,
  WEBHOOK_SECRET_LENGTH_MIN,
} from '@deployment-annotations/contract/integration'
import { PLATFORMS, type PlatformName } from '@deployment-annotations/contract/platform'
import { countPoints } from '@deployment-annotations/contract/text'
import { checkMapping } from '@deployment-annotations/edge/platforms/mapping-expression'
import type { IntegrationRecord } from '@deployment-annotations/records/automations/integration-records'
import { invalid } from '@deployment-annotations/runtime/errors'

/** An integration without its secret; its title has the names of {@link TITLE_FACTS} in braces. */
export interface Integration extends Omit<IntegrationRecord, 'encryptedSecret' | 'platform' | 'reach'> {
  platform: PlatformName
}

/** What a person sets. */
export type IntegrationSettings = Pick<Integration, 'name' | 'datasets' | 'type' | 'title' | 'environments' | 'rules' | 'mapping'>

export function newIntegrationId(): string {
  return `int_${randomBytes(6).toString('hex')}`
}

/** @returns a secret of 256 random bits in the form of Standard Webhooks, which any platform takes as a text too */
export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** @throws ServiceError `invalid`, without the secret, when it is too short to be one */
export function checkSecret(secret: string): void {
  const { length } = secret
  if (length >= WEBHOOK_SECRET_LENGTH_MIN && length <= WEBHOOK_SECRET_LENGTH_MAX) return
  const bounds = `${WEBHOOK_SECRET_LENGTH_MIN} to ${WEBHOOK_SECRET_LENGTH_MAX}`
  const code = length < WEBHOOK_SECRET_LENGTH_MIN ? VALIDATION_CODES.tooShort : VALIDATION_CODES.tooLong
  throw invalid(code, `the secret must have ${bounds} characters, got ${length}`)
}

/** @throws ServiceError `invalid` naming the setting, its value and the rule */
export function checkSettings({ name, datasets, type, title, environments }: IntegrationSettings): void {
  if (countPoints(name) > INTEGRATION_NAME_POINTS_MAX) {
    throw invalid(VALIDATION_CODES.tooLong, `the name must have at most ${INTEGRATION_NAME_POINTS_MAX} characters`)
  }
  if (datasets.length === 0 || datasets.length > INTEGRATION_ITEMS_MAX) {
    const code = datasets.length === 0 ? VALIDATION_CODES.itemsMin : VALIDATION_CODES.itemsMax
    throw invalid(code, `give 1 to ${INTEGRATION_ITEMS_MAX} datasets, got ${datasets.length}`)
  }
  const wrong = datasets.find((dataset) => !DATASET_NAME_PATTERN.test(dataset))
  if (wrong !== undefined) {
    const rule = DATASET_NAME_PATTERN.source
    throw invalid(VALIDATION_CODES.pattern, `${JSON.stringify(wrong)} is not the name of a dataset; it must match ${rule}`)
  }
  if (!ANNOTATION_TYPE_PATTERN.test(type) || countPoints(type) > TYPE_POINTS_MAX) {
    throw invalid(VALIDATION_CODES.pattern, `${JSON.stringify(type)} is not a type, which has ${TYPE_RULE}`)
  }
  checkTitle(title)
  if (environments.length <= INTEGRATION_ITEMS_MAX) return
  const most = `at most ${INTEGRATION_ITEMS_MAX} environments can be given, got ${environments.length}`
  throw invalid(VALIDATION_CODES.itemsMax, most)
}

/** @throws ServiceError `invalid` */
export function checkTitle(title: string): void {
  if (title.trim() === '' || countPoints(title) > TITLE_POINTS_MAX) {
    const message = `the title must have 1 to ${TITLE_POINTS_MAX} characters, got ${JSON.stringify(title)}`
    throw invalid(title.trim() === '' ? VALIDATION_CODES.tooShort : VALIDATION_CODES.tooLong, message)
  }
  for (const [placeholder, fact] of title.matchAll(/\{([^{}]*)\}/g)) {
    if (isTitleFact(fact)) continue
    const known = TITLE_FACTS.map((name) => `{${name}}`).join(', ')
    throw invalid(VALIDATION_CODES.pattern, `the title cannot have ${placeholder}; it may have ${known}`)
  }
}

/** @throws ServiceError `invalid` for a mapping that cannot be read, or is of a platform whose bodies are known */
export function requireMappable(platform: string, { mapping }: Pick<IntegrationSettings, 'mapping'>): void {
  if (!mapping) return
  if (platform !== 'generic') {
    throw invalid(VALIDATION_CODES.pattern, `mapping is for the platform generic; what ${platform} sends is known`)
  }
  checkMapping(mapping)
}

/** @returns all datasets on which it may create annotations */
export function datasetsOf({ datasets, rules }: Pick<IntegrationRecord, 'datasets' | 'rules'>): string[] {
  return [...new Set([...datasets, ...rules.flatMap((rule) => rule.datasets)])]
}

/** @returns the integration without its secret and what its author reaches; @throws Error where a newer program wrote it */
export function parseIntegration({ encryptedSecret: _, reach: __, platform, ...same }: IntegrationRecord): Integration {
  if (!isPlatform(platform)) throw new Error(`it is of ${JSON.stringify(platform)}, a platform that this program does not know`)
  return { ...same, platform }
}

export function isPlatform(value: unknown): value is PlatformName {
  return (PLATFORMS as readonly unknown[]).includes(value)
}
