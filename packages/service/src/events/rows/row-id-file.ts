/**
 * A lease of row ids by a small file, for a service that shares its number with nobody: the mark in it is ahead of every id
 * that was given out, and is moved in the background.
 */
import { readFileSync } from 'node:fs'
import { writeOwnerFile } from '../../files/owner-file.ts'
import type { RowIdLease } from './row-ids.ts'

const RESERVE_MS = 30_000
const RENEW_MS = 2_500
export const NODE_MAX = 1_023

/**
 * @param node this service, 0 to {@link NODE_MAX}, unlike all others that write to the same tables
 * @throws Error when the file is there and cannot be understood
 */
export function openRowIdFile(file: string, node: number): RowIdLease & Disposable {
  const startMs = readMark(file)
  let reservedMs = 0
  const renew = () => {
    const wanted = Math.max(Date.now(), startMs) + RESERVE_MS
    try {
      writeOwnerFile(file, `${wanted}\n`)
      reservedMs = wanted
    } catch {
      // A full disk: what is reserved already may be used, and it is tried again.
    }
  }
  renew()
  const timer = setInterval(renew, RENEW_MS).unref()
  return {
    node,
    startMs,
    get reservedMs() {
      return reservedMs
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

function readMark(file: string): number {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
  if (!/^\d{1,15}\n$/.test(text))
    throw new Error(`${file} should hold the highest row id time in ms, found ${JSON.stringify(text.slice(0, 40))}`)
  return Number(text)
}
