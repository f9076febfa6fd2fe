/**
 * Integrations made, changed and removed over HTTP. A token that names datasets reaches the integrations
 * whose annotations are on these alone. Deliberately not here: what platforms send; how a secret is encrypted.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import {
  INTEGRATION_TITLE_DEFAULT,
  INTEGRATION_TYPE_DEFAULT,
  INTEGRATIONS_PER_PLATFORM_MAX,
  type IntegrationChange,
  type MadeIntegration,
  type NewIntegration,
} from '@deployment-annotations/contract/integration'
import type { Permission } from '@deployment-annotations/contract/permission'
import { type PlatformName, platformRow } from '@deployment-annotations/contract/platform'
import {
  type DeliveryRecord,
  deleteDeliveries,
  listDeliveries,
  listLastDeliveries,
} from '@deployment-annotations/records/automations/delivery-records'
import {
  deleteIntegration,
  type IntegrationRecord,
  insertIntegration,
  listIntegrations,
  lockIntegrations,
  updateIntegration,
} from '@deployment-annotations/records/automations/integration-records'
import type { Records } from '@deployment-annotations/records/database/records'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { invalid } from '@deployment-annotations/runtime/errors'
import { findKeys, withSecret } from '../../encryption/stored-secret.ts'
import { requireFound } from '../../wire/require-found.ts'
import {
  checkTitle,
  datasetsOf,
  type Integration,
  type IntegrationSettings,
  isPlatform,
  makeSecret,
  newIntegrationId,
  parseIntegration,
  requireMappable,
} from './integration.ts'

interface IntegrationsOptions {
  records: Records
  /** Where the file with the key to the secrets is, unless the key is given by variable. */
  dataDir: string
  /** Milliseconds since the epoch. */
  clock: () => number
}

export class Integrations {
  readonly #options: IntegrationsOptions

  constructor(options: IntegrationsOptions) {
    this.#options = options
  }

  /** Those that the caller reaches, in the order in which they were made, with the newest delivery of each. */
  async list(by: Caller): Promise<{ integration: Integration; last?: DeliveryRecord }[]> {
    const { read } = this.#options.records
    const [all, last] = [await listIntegrations(read), await listLastDeliveries(read)]
    return all
      .filter((record) => isPlatform(record.platform) && isReached(record, by))
      .map((record) => {
        const newest = last.get(record.id)
        return { integration: parseIntegration(record), ...(newest && { last: newest }) }
      })
  }

  /** @throws ServiceError `not_found`, as the next ones do for one that the caller does not reach */
  async get(id: string, by: Caller): Promise<Integration> {
    return parseIntegration(requireReached(id, await listIntegrations(this.#options.records.read), by))
  }

  /** @returns the deliveries that are kept, the newest first */
  async deliveries(id: string, by: Caller): Promise<DeliveryRecord[]> {
    await this.get(id, by)
    return listDeliveries(this.#options.records.read, id)
  }

  /** @throws ServiceError `invalid`, `exists`, `forbidden`, `unavailable` without the key to the secrets */
  async create({ platform, secret: given, ...sent }: NewIntegration, by: Caller): Promise<MadeIntegration> {
    const { records, dataDir, clock } = this.#options
    const settings = {
      name: sent.name ?? platform,
      datasets: [...new Set(sent.datasets)],
      type: sent.type ?? INTEGRATION_TYPE_DEFAULT,
      title: sent.title ?? INTEGRATION_TITLE_DEFAULT,
      environments: [...new Set(sent.environments ?? platformRow(platform).environments)],
      rules: sent.rules ?? [],
      ...(sent.mapping && { mapping: sent.mapping }),
    }
    requireMappable(platform, settings)
    requireValid(settings, 'integrations|create', by)
    const secret = requireSecret(platform, given)
    const createdAt = new Date(clock()).toISOString()
    const made = { id: newIntegrationId(), platform, ...settings, createdAt }
    const keys = await findKeys(records, dataDir)
    await records.transaction(async (db) => {
      const all = await lockIntegrations(db)
      requirePlace(platform, all)
      await insertIntegration(db, withSecret({ ...made, ...reachOf(by) }, secret, all, keys))
    })
    return { ...made, ...(given === undefined && { secret }) }
  }

  /** @throws ServiceError `not_found`, `invalid`, `forbidden` */
  change(id: string, { mapping, ...members }: IntegrationChange, by: Caller): Promise<Integration> {
    return this.#options.records.transaction(async (db) => {
      const { reach, ...before } = requireReached(id, await lockIntegrations(db), by)
      // The caller needs the permission for each dataset that the integration annotates.
      const isMoved = members.datasets !== undefined || members.rules !== undefined
      const after = { ...before, ...members, ...(mapping && { mapping }), ...(isMoved ? reachOf(by) : reach && { reach }) }
      if (mapping === null) delete after.mapping
      requireMappable(after.platform, after)
      requireValid(after, 'integrations|update', by)
      await updateIntegration(db, after)
      return parseIntegration(after)
    })
  }

  /**
   * Another secret takes the place of the one that is there, at once.
   * @param given absent: one is made
   * @throws ServiceError `not_found`, `invalid`, `exists`, `unavailable` without the key to the secrets
   */
  async regenerate(id: string, given: string | undefined, by: Caller): Promise<MadeIntegration> {
    const { records, dataDir } = this.#options
    const { platform } = await this.get(id, by)
    const secret = requireSecret(platform, given)
    const keys = await findKeys(records, dataDir)
    const after = await records.transaction(async (db) => {
      const all = await lockIntegrations(db)
      const changed = withSecret(requireReached(id, all, by), secret, all, keys)
      await updateIntegration(db, changed)
      return changed
    })
    return { ...parseIntegration(after), ...(given === undefined && { secret }) }
  }

  /** Its webhooks are refused from the next request on, and its annotations stay. @throws ServiceError `not_found` */
  async remove(id: string, by: Caller): Promise<void> {
    await this.#options.records.transaction(async (db) => {
      requireReached(id, await lockIntegrations(db), by)
      await deleteDeliveries(db, id)
      await deleteIntegration(db, id)
    })
  }
}

function isReached(record: IntegrationRecord, { limit }: Caller): boolean {
  return !limit || datasetsOf(record).every((name) => limit.includes(name))
}

const reachOf = ({ limit }: Caller) => (limit ? { reach: [...limit] } : {})

function requireReached(id: string, all: readonly IntegrationRecord[], by: Caller): IntegrationRecord {
  const record = all.find((one) => one.id === id && isReached(one, by))
  return requireFound(record, 'integration', id)
}

function requireValid(settings: IntegrationSettings, permission: Permission, by: Caller): void {
  checkTitle(settings.title)
  for (const name of datasetsOf(settings)) by.require(permission, 'to create annotations of deployments on it', name)
}

/** @returns the secret that was given, or one that is made */
function requireSecret(platform: PlatformName, given: string | undefined): string {
  if (given === undefined && platformRow(platform).makesOwnSecret) {
    throw invalid(VALIDATION_CODES.required, `secret is required: ${platform} makes the secret itself`)
  }
  return given ?? makeSecret()
}

/** Part of a transaction. */
function requirePlace(platform: PlatformName, all: readonly IntegrationRecord[]): void {
  if (all.filter((one) => one.platform === platform).length < INTEGRATIONS_PER_PLATFORM_MAX) return
  throw invalid(
    VALIDATION_CODES.itemsMax,
    `there are ${INTEGRATIONS_PER_PLATFORM_MAX} integrations of ${platform} already, the most there can be; remove one`,
  )
}
