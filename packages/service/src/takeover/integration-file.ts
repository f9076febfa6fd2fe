/**
 * `integrations.json`, in which earlier versions kept integrations and their encrypted secrets, as a list of records.
 */
import { isPlatform } from '../automations/integrations/integration.ts'
import type { IntegrationRecord } from '../records/integration-records.ts'
import { readListFile } from './list-file.ts'

/** As it is written in the file, where the secret has an older name. */
type FileItem = Omit<IntegrationRecord, 'encryptedSecret'> & { sealedSecret: string }

/** @throws as {@link readListFile} */
export function readIntegrationFile(path: string): IntegrationRecord[] {
  const items = readListFile(path, { member: 'integrations', version: 1, isItem })
  return items.map(({ sealedSecret, ...integration }) => ({ ...integration, encryptedSecret: sealedSecret }))
}

function isItem(value: unknown): value is FileItem {
  const item = value as Partial<FileItem> | null
  const texts = [item?.id, item?.name, item?.type, item?.title, item?.createdAt, item?.sealedSecret]
  return (
    texts.every((text) => typeof text === 'string') &&
    isPlatform(item?.platform) &&
    [item?.datasets, item?.environments].every(isTexts)
  )
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
