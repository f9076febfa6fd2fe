/**
 * The subcommand `reseal`: encrypts the secrets of integrations and notifiers again, with the first of the keys that are given, so that the
 * others may be forgotten. Services may run meanwhile, if they have all of these keys.
 */
import { lockIntegrations, updateIntegration } from '@deployment-annotations/records/automations/integration-records'
import { lockNotifiers, updateNotifier } from '@deployment-annotations/records/automations/notifier-records'
import type { RecordsDatabase } from '@deployment-annotations/records/database/records'
import { Command } from 'commander'
import { decrypt, type EncryptionKeys, encrypt, requireEncryptionKeys } from '../encryption/encryption.ts'
import { describePlace, type RecordsFlags, useMadeRecords, withRecordsFlags } from '../flags/storage-flags.ts'

/** @param defaults used where the subcommand has no flags of its own */
export function createResealCommand(defaults: () => RecordsFlags): Command {
  return withRecordsFlags(new Command('reseal'))
    .description('encrypt the secrets of integrations and notifiers with the first encryption key, and end')
    .action(async (options: RecordsFlags) => {
      const flags = { ...defaults(), ...options }
      const keys = requireEncryptionKeys(flags.data)
      const count = await useMadeRecords(flags, (records) => records.transaction((db) => resealAll(db, keys)))
      console.log(`the first key opens all ${count ?? 0} secrets at ${describePlace(flags)} now`)
    })
}

/** Part of a transaction. @returns how many secrets there are; @throws Error, and changes none, if one has none of the keys */
async function resealAll(db: RecordsDatabase, keys: EncryptionKeys): Promise<number> {
  const [integrations, notifiers] = [await lockIntegrations(db), await lockNotifiers(db)]
  const reseal = (secret: string, id: string) => encrypt(decrypt(secret, keys, id), keys, id)
  for (const one of integrations) await updateIntegration(db, { ...one, encryptedSecret: reseal(one.encryptedSecret, one.id) })
  for (const one of notifiers) await updateNotifier(db, { ...one, encryptedTarget: reseal(one.encryptedTarget, one.id) })
  return integrations.length + notifiers.length
}
