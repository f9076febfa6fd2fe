/**
 * Which integrations there are now, with their secrets. They are in memory, and read again when their version has moved, which
 * is looked at before each request: one that was made, changed or removed counts from the next request on. Without the key to
 * the secrets the service runs and refuses their webhooks; the log says why, once for each change.
 */
import type { PlatformName } from '@deployment-annotations/contract/platform'
import { listIntegrations } from '@deployment-annotations/records/automations/integration-records'
import type { RecordCache } from '@deployment-annotations/records/database/record-caches'
import type { Records } from '@deployment-annotations/records/database/records'
import type { Log } from '@deployment-annotations/runtime/log'
import { decrypt, readEncryptionKeys, requireEncryptionKeys } from '../../encryption/encryption.ts'
import { type Integration, parseIntegration } from './integration.ts'

interface IntegrationWithSecret {
  integration: Integration
  secret: string
}

interface RegistryOptions {
  /** Where the file with the key is, unless the key is given by variable. */
  dataDir: string
  log: Log
}

export class IntegrationRegistry implements RecordCache {
  readonly kind = 'integrations'
  readonly #records: Pick<Records, 'read'>
  readonly #options: RegistryOptions
  #withSecret: readonly IntegrationWithSecret[] = []

  /** @throws Error when there is a key that cannot be one: somebody meant to give it */
  constructor(records: Pick<Records, 'read'>, options: RegistryOptions) {
    readEncryptionKeys(options.dataDir)
    this.#records = records
    this.#options = options
  }

  async load(): Promise<void> {
    const records = await listIntegrations(this.#records.read)
    const withSecret: IntegrationWithSecret[] = []
    for (const record of records) {
      try {
        const integration = parseIntegration(record)
        const secret = decrypt(record.encryptedSecret, requireEncryptionKeys(this.#options.dataDir), record.id)
        withSecret.push({ integration, secret })
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        this.#options.log.warn({ event: 'warning', message: `webhooks of integration ${record.id} are refused: ${reason}` })
      }
    }
    this.#withSecret = withSecret
  }

  /** @returns those whose secrets can be read */
  ofPlatform(platform: PlatformName): readonly IntegrationWithSecret[] {
    return this.#withSecret.filter(({ integration }) => integration.platform === platform)
  }
}
