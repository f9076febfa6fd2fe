/**
 * `integrations.json` in the data directory: the integrations and their sealed secrets.
 */
import { join } from 'node:path'
import { type ListFileKind, readListFile, updateListFile } from '../../files/list-file.ts'
import { type Integration, isPlatform } from './integration.ts'

/** An integration as it is in the file. */
export interface IntegrationRecord extends Integration {
  sealedSecret: string
}

const INTEGRATIONS: ListFileKind<IntegrationRecord> = { member: 'integrations', version: 1, isItem: isRecord }

export function integrationFilePath(dataDir: string): string {
  return join(dataDir, 'integrations.json')
}

/** @throws Error when the file is there and is not what this program writes, naming its version if that is the reason */
export function readIntegrations(dataDir: string): IntegrationRecord[] {
  return readListFile(integrationFilePath(dataDir), INTEGRATIONS)
}

/** Changes the list while no other process does; see {@link updateListFile}. */
export function updateIntegrations(
  dataDir: string,
  change: (integrations: IntegrationRecord[]) => IntegrationRecord[],
): Promise<void> {
  return updateListFile(integrationFilePath(dataDir), INTEGRATIONS, change)
}

function isRecord(value: unknown): value is IntegrationRecord {
  const record = value as Partial<IntegrationRecord> | null
  const texts = [record?.id, record?.name, record?.type, record?.title, record?.createdAt, record?.sealedSecret]
  return (
    texts.every((text) => typeof text === 'string') &&
    isPlatform(record?.platform) &&
    [record?.datasets, record?.environments].every(isTexts)
  )
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
