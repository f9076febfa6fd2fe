/**
 * `tokens.json` in the data directory: the hashes of the tokens that were made.
 */
import { join } from 'node:path'
import { fileState, type ListFileKind, readListFile, updateListFile } from '../files/list-file.ts'
import { isPermission } from './permissions.ts'
import type { TokenRecord } from './token.ts'

const TOKENS: ListFileKind<TokenRecord> = { member: 'tokens', version: 1, isItem: isRecord }

export function tokenFilePath(dataDir: string): string {
  return join(dataDir, 'tokens.json')
}

/** @throws Error when the file is there and is not what this program writes, naming its version if that is the reason */
export function readTokens(path: string): TokenRecord[] {
  return readListFile(path, TOKENS)
}

/** @returns what tells one content of the file from the next */
export function tokenFileState(path: string): string {
  return fileState(path)
}

/** Changes the list while no other process does; see {@link updateListFile}. */
export function updateTokens(path: string, change: (tokens: TokenRecord[]) => TokenRecord[]): Promise<void> {
  return updateListFile(path, TOKENS, change)
}

function isRecord(value: unknown): value is TokenRecord {
  const record = value as Partial<TokenRecord> | null
  return (
    typeof record?.id === 'string' &&
    typeof record.name === 'string' &&
    (record.kind === 'personal' || record.kind === 'api') &&
    Array.isArray(record.permissions) &&
    record.permissions.every(isPermission) &&
    /^[0-9a-f]{64}$/.test(record.sha256 ?? '')
  )
}
