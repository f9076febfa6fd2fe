/**
 * A list in a file of the data directory, for what a subcommand changes beside a running service: the engine's directory is
 * locked by the service then. Written whole: a temporary file, fsync, rename, fsync of the directory, for its owner only, under
 * a lock file that keeps two writers from losing each other's change. Deliberately not here: what the items are.
 */
import { type BigIntStats, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeOwnerFile } from './owner-file.ts'

/** What is in a file: `{"version": 1, "<member>": [items]}`. */
export interface ListFileKind<Item> {
  /** Names the list, in the file and in messages: `tokens`. */
  member: string
  version: number
  isItem(value: unknown): value is Item
}

const LOCK_MS_MAX = 5_000
/** A change takes milliseconds; a lock older than this was left by a process that was killed. */
const LOCK_AGE_MS_MAX = 3_000

/** @throws Error when the file is there and is not what this program writes, naming its version if that is the reason */
export function readListFile<Item>(path: string, kind: ListFileKind<Item>): Item[] {
  if (!existsSync(path)) return []
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  const { version, [kind.member]: items } = (content ?? {}) as Record<string, unknown>
  if (typeof version === 'number' && version > kind.version) {
    throw new Error(`${path} has version ${version}, but this program only knows versions up to ${kind.version}`)
  }
  if (!Array.isArray(items) || !items.every(kind.isItem)) throw new Error(`${path} is not a list of ${kind.member}`)
  return items
}

/** @returns what tells one content of a file from the next: every write makes a new file */
export function fileState(path: string): string {
  const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.ino} ${stats.mtimeNs} ${stats.size}` : 'absent'
}

/**
 * Changes the list while no other process does.
 * @param change gets the present list and returns the new one
 * @throws Error when another process keeps the lock for 5 s; whatever `change` throws
 */
export async function updateListFile<Item>(
  path: string,
  kind: ListFileKind<Item>,
  change: (items: Item[]) => Item[],
): Promise<void> {
  const lock = `${path}.lock`
  await takeLock(lock)
  try {
    const content = { version: kind.version, [kind.member]: change(readListFile(path, kind)) }
    writeOwnerFile(path, `${JSON.stringify(content, null, 2)}\n`)
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
    else if (waitedMs >= LOCK_MS_MAX) throw new Error(`another process holds ${lock}; try again`)
    await sleep(20)
  }
}

function isStale(lock: string): boolean {
  const stats = statSync(lock, { throwIfNoEntry: false })
  return stats !== undefined && Date.now() - stats.mtimeMs > LOCK_AGE_MS_MAX
}
