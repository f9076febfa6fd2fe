/**
 * An integration: whose deployments get annotations, on which charts, and with which title; the rules that its settings
 * obey. Deliberately not here: how it is kept, encryption, and what the platforms send.
 */
import { randomBytes } from 'node:crypto'
import { TITLE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { isTitleFact, TITLE_FACTS } from '@deployment-annotations/contract/integration'
import { PLATFORMS, type PlatformName } from '@deployment-annotations/contract/platform'
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

/** What the schema does not say of a title. @throws ServiceError `invalid` */
export function checkTitle(title: string): void {
  if (title.trim() === '') {
    const message = `the title must have 1 to ${TITLE_POINTS_MAX} characters, got ${JSON.stringify(title)}`
    throw invalid(VALIDATION_CODES.tooShort, message)
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
