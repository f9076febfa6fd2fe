/**
 * The secret of an integration on its way into the records: encrypted with the one key that all of them and of notifiers have, and given
 * to one integration of a platform only. Deliberately not here: where the key is, and how it is used; see encryption.ts.
 */

import { type IntegrationRecord, listIntegrations } from '@deployment-annotations/records/automations/integration-records'
import { listNotifiers } from '@deployment-annotations/records/automations/notifier-records'
import type { Records } from '@deployment-annotations/records/database/records'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { decrypt, type EncryptionKeys, encrypt, ensureEncryptionKeys, requireEncryptionKeys } from './encryption.ts'

/**
 * @returns the keys to encrypt and decrypt with; one is created where no other service uses these records and they have no secret yet
 * @throws ServiceError `unavailable` when there is none, saying how to give it
 */
export async function findKeys(records: Records, dataDir: string): Promise<EncryptionKeys> {
  const [integration] = await listIntegrations(records.read)
  const [notifier] = await listNotifiers(records.read)
  return withKey(() => {
    const made = integration || notifier ? undefined : records.makeLocal(() => ensureEncryptionKeys(dataDir))
    const keys = made ?? requireEncryptionKeys(dataDir)
    // With secrets under a key that is not given no service could read all.
    if (integration) decrypt(integration.encryptedSecret, keys, integration.id)
    if (notifier) decrypt(notifier.encryptedTarget, keys, notifier.id)
    return keys
  })
}

/**
 * Part of a transaction, so that it stays true.
 * @param all those there are; each is decrypted, whatever its platform: with secrets under a key that is not given no service could read all
 * @throws ServiceError `unavailable` when no key is theirs, and `exists` when another integration of the platform has the
 *   secret: which of the two a request is for could not be told
 */
export function withSecret(
  integration: Omit<IntegrationRecord, 'encryptedSecret'>,
  secret: string,
  all: readonly IntegrationRecord[],
  keys: EncryptionKeys,
): IntegrationRecord {
  for (const { id, platform, encryptedSecret } of all) {
    const has = withKey(() => decrypt(encryptedSecret, keys, id))
    if (has === secret && platform === integration.platform && id !== integration.id) {
      throw new ServiceError('exists', `integration ${id} has this secret already; each integration of ${platform} needs its own`)
    }
  }
  return { ...integration, encryptedSecret: encrypt(secret, keys, integration.id) }
}

/** What is wrong with the key is for the operator to put right, and to be told to whoever asks. */
function withKey<T>(use: () => T): T {
  try {
    return use()
  } catch (error) {
    throw new ServiceError('unavailable', error instanceof Error ? error.message : String(error), { cause: error })
  }
}
