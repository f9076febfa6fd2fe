/**
 * Lists in files as earlier versions kept them in the data directory: `{"version": 1, "<member>": [items]}`.
 * Deliberately not here: what the items are; and writing, because nothing writes such files any more.
 */
import { existsSync, readFileSync } from 'node:fs'

/** What is in a file. */
interface ListFileKind<Item> {
  /** Names the list, in the file and in messages: `tokens`. */
  member: string
  version: number
  isItem(value: unknown): value is Item
}

/**
 * @returns the items; none where there is no file
 * @throws Error when the file is there and is not what such a version wrote, naming its version if that is the reason
 */
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
