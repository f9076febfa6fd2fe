/**
 * `integrations.json`, in which earlier versions kept integrations and their encrypted secrets, as a list of records.
 */
import { type Integration, isPlatform } from '../automations/integrations/integration.ts'
import type { IntegrationRecord } from '../records/integration-records.ts'
import { readListFile } from './list-file.ts'

export type EarlierIntegration = Integration & Pick<IntegrationRecord, 'encryptedSecret'>

/** As it is written in the file, where the secret has an older name. */
type FileItem = Integration & { sealedSecret: string }

/** @throws as {@link readListFile} */
export function readIntegrationFile(path: string): EarlierIntegration[] {
  const items = readListFile(path, { member: 'integrations', version: 1, isItem })
  return items.map(({ id, platform, name, datasets, type, title, environments, sealedSecret, createdAt }) => ({
    id,
    platform,
    name,
    datasets,
    type,
    title,
    environments,
    encryptedSecret: sealedSecret,
    createdAt,
  }))
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
