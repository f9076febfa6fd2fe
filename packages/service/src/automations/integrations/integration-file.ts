/**
 * `integrations.json` in the data directory: the integrations and their encrypted secrets.
 */
import { join } from 'node:path'
import { type ListFileKind, readListFile, updateListFile } from '../../files/list-file.ts'
import { type Integration, isPlatform } from './integration.ts'

/** An integration as it is kept. */
export interface IntegrationRecord extends Integration {
  encryptedSecret: string
}

/** As it is written in the file, where the secret has an older name that stays: earlier files are read as they are. */
type FileItem = Integration & { sealedSecret: string }

const INTEGRATIONS: ListFileKind<FileItem> = { member: 'integrations', version: 1, isItem }

export function integrationFilePath(dataDir: string): string {
  return join(dataDir, 'integrations.json')
}

/** @throws Error when the file is there and is not what this program writes, naming its version if that is the reason */
export function readIntegrations(dataDir: string): IntegrationRecord[] {
  return readListFile(integrationFilePath(dataDir), INTEGRATIONS).map(fromItem)
}

/** Changes the list while no other process does; see {@link updateListFile}. */
export function updateIntegrations(
  dataDir: string,
  change: (integrations: IntegrationRecord[]) => IntegrationRecord[],
): Promise<void> {
  return updateListFile(integrationFilePath(dataDir), INTEGRATIONS, (items) => change(items.map(fromItem)).map(toItem))
}

function fromItem({ sealedSecret, ...integration }: FileItem): IntegrationRecord {
  return { ...integration, encryptedSecret: sealedSecret }
}

function toItem({ encryptedSecret, ...integration }: IntegrationRecord): FileItem {
  return { ...integration, sealedSecret: encryptedSecret }
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
