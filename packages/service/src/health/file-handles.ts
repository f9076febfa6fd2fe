/**
 * How many of the files that this process may open are open: connections are files, and every field of an insert is several.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { Judgement } from './part.ts'

/** Above this part of the limit an insert into a dataset with many fields may fail. */
const USED_MAX = 0.9

/** @param read what is open and allowed; `undefined` where the system does not say */
export function judgeFileHandles(read = readFileHandles): Judgement | undefined {
  let handles: { open: number; limit: number } | undefined
  try {
    handles = read()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EMFILE' || code === 'ENFILE') return { status: 'failed', message: 'there are none left' }
    throw error
  }
  if (!handles || handles.open <= handles.limit * USED_MAX) return undefined
  return { status: 'degraded', message: `${handles.open} of ${handles.limit} are in use` }
}

function readFileHandles(): { open: number; limit: number } | undefined {
  if (process.platform !== 'linux') return undefined
  const limit = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
  return limit > 0 ? { open: readdirSync('/proc/self/fd').length, limit } : undefined
}
