/**
 * `tokens.json` in the data directory: the hashes of the tokens that were made. A file, because the engine's directory is
 * locked by the running service while tokens are created and revoked beside it. Written whole: a temporary file, fsync,
 * rename, fsync of the directory, under a lock file that keeps two writers from losing each other's change.
 */
import {
  type BigIntStats,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPermission } from './permissions.ts'
import type { TokenRecord } from './token.ts'

const FILE_VERSION = 1
const LOCK_MS_MAX = 5_000
/** A change takes milliseconds; a lock older than this was left by a process that was killed. */
const LOCK_AGE_MS_MAX = 3_000

export function tokenFilePath(dataDir: string): string {
  return join(dataDir, 'tokens.json')
}

/** @throws Error when the file is there and is not what this program writes, naming its version if that is the reason */
export function readTokens(path: string): TokenRecord[] {
  if (!existsSync(path)) return []
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  const { version, tokens } = (content ?? {}) as { version?: unknown; tokens?: unknown }
  if (typeof version === 'number' && version > FILE_VERSION) {
    throw new Error(`${path} has version ${version}, and this program knows versions up to ${FILE_VERSION}`)
  }
  if (!Array.isArray(tokens) || !tokens.every(isRecord)) throw new Error(`${path} is not a list of tokens`)
  return tokens
}

/** @returns what tells one content of the file from the next: every write makes a new file */
export function tokenFileState(path: string): string {
  const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.ino} ${stats.mtimeNs} ${stats.size}` : 'absent'
}

/**
 * Changes the list while no other process does.
 * @param change gets the present list and returns the new one
 * @throws Error when another process keeps the lock for 5 s; whatever `change` throws
 */
export async function updateTokens(path: string, change: (tokens: TokenRecord[]) => TokenRecord[]): Promise<void> {
  const lock = `${path}.lock`
  await takeLock(lock)
  try {
    const text = `${JSON.stringify({ version: FILE_VERSION, tokens: change(readTokens(path)) }, null, 2)}\n`
    writeWhole(path, text)
  } finally {
    rmSync(lock, { force: true })
  }
}

async function takeLock(lock: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += 20) {
    try {
      // Empty, because on a full disk a lock with content is made, fails to be written, and stays.
      writeFileSync(lock, '', { flag: 'wx', mode: 0o600 })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if (isStale(lock)) rmSync(lock, { force: true })
    else if (waitedMs >= LOCK_MS_MAX) throw new Error(`another process keeps ${lock}; try again`)
    await sleep(20)
  }
}

function isStale(lock: string): boolean {
  const stats = statSync(lock, { throwIfNoEntry: false })
  return stats !== undefined && Date.now() - stats.mtimeMs > LOCK_AGE_MS_MAX
}

function writeWhole(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`
  const file = openSync(temporary, 'w', 0o600)
  try {
    // Not writeSync, which stops without a word where the disk is full, and half a list lets nobody in.
    writeFileSync(file, text)
    fsyncSync(file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  const directory = openSync(join(path, '..'), 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
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
