/**
 * `tokens.json`, in which earlier versions kept the hashes of tokens, as a list of records.
 */
import { isPermission, type TokenRecord } from '../records/token-records.ts'
import { readListFile } from './list-file.ts'

/** @throws as {@link readListFile} */
export function readTokenFile(path: string): TokenRecord[] {
  const items = readListFile(path, { member: 'tokens', version: 1, isItem: isRecord })
  return items.map(({ id, name, kind, permissions, sha256, createdAt }) => ({ id, name, kind, permissions, sha256, createdAt }))
}

function isRecord(value: unknown): value is TokenRecord {
  const record = value as Partial<TokenRecord> | null
  return (
    typeof record?.id === 'string' &&
    typeof record.name === 'string' &&
    typeof record.createdAt === 'string' &&
    (record.kind === 'personal' || record.kind === 'api') &&
    Array.isArray(record.permissions) &&
    record.permissions.every(isPermission) &&
    /^[0-9a-f]{64}$/.test(record.sha256 ?? '')
  )
}
