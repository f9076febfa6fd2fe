/**
 * The files in which earlier versions kept tokens, integrations and the mark of row ids, beside the engine's directory.
 * They are put aside under another name rather than removed: they are small, and what is in them cannot be made again.
 * Deliberately not here: the key of the integrations' secrets, which stays where it is.
 */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TokenRecord } from '../records/token-records.ts'
import { type EarlierIntegration, readIntegrationFile } from './integration-file.ts'
import { readTokenFile } from './token-file.ts'

const TOKENS = 'tokens.json'
const INTEGRATIONS = 'integrations.json'
const LISTS = [TOKENS, INTEGRATIONS] as const
const ROW_ID_MARK = 'row-id-mark'

export interface EarlierFiles {
  tokens: TokenRecord[]
  integrations: EarlierIntegration[]
  /** Row ids were made with earlier times than this, in milliseconds. */
  markMs?: number
  /** What tells these files from others of their names. */
  hashes: string[]
}

/** @throws Error when a file is there and is not what an earlier version wrote */
export function readEarlierFiles(dataDir: string): EarlierFiles {
  const markMs = readMark(join(dataDir, ROW_ID_MARK))
  return {
    tokens: readTokenFile(join(dataDir, TOKENS)),
    integrations: readIntegrationFile(join(dataDir, INTEGRATIONS)),
    ...(markMs !== undefined && { markMs }),
    hashes: LISTS.map((name) => join(dataDir, name))
      .filter((path) => existsSync(path))
      .map(hashOf),
  }
}

/**
 * Renames the files that were taken over; may be repeated.
 * @returns the paths of those that lie there and were not: somebody put them there later, or they are another service's
 */
export function putAside(dataDir: string, hashes: readonly string[]): string[] {
  const strange: string[] = []
  // Of no use to anybody, whosever it is: the records have a mark of their own.
  rmSync(join(dataDir, ROW_ID_MARK), { force: true })
  for (const path of LISTS.map((name) => join(dataDir, name))) {
    if (!existsSync(path)) continue
    if (!hashes.includes(hashOf(path))) {
      strange.push(path)
      continue
    }
    chmodSync(path, 0o600)
    renameSync(path, `${path}.taken-over`)
    rmSync(`${path}.lock`, { force: true })
  }
  return strange
}

function readMark(path: string): number | undefined {
  if (!existsSync(path)) return undefined
  const text = readFileSync(path, 'utf8')
  if (/^\d{1,15}\n$/.test(text)) return Number(text)
  throw new Error(`${path} should hold the highest row id time in ms, found ${JSON.stringify(text.slice(0, 40))}`)
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
