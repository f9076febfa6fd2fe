/**
 * How many of the files that this process may open are open: connections are files, and every field of an insert is several.
 */
import { readdirSync } from 'node:fs'
import { readOpenFilesMax } from './open-files.ts'
import type { Judgement } from './part.ts'

/** Above this part of the limit an insert into a dataset with many fields may fail. */
const USED_MAX = 0.9

/** How old the last look may be: with thousands of connections it takes milliseconds, and there may be forty looks a second. */
const LOOK_MS = 1_000

/**
 * @param read what is open and allowed; `undefined` where the system does not say
 * @returns a judge that looks once in a while
 */
export function createFileHandlesJudge(read = readFileHandles): () => Judgement | undefined {
  let last: { judgement: Judgement | undefined; atMs: number } | undefined
  return () => {
    if (!last || performance.now() - last.atMs > LOOK_MS) last = { judgement: judge(read), atMs: performance.now() }
    return last.judgement
  }
}

interface Handles {
  open: number
  limit: number
}

function judge(read: () => Handles | undefined): Judgement | undefined {
  let handles: Handles | undefined
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

function readFileHandles(): Handles | undefined {
  const limit = readOpenFilesMax()
  return Number.isFinite(limit) ? { open: readdirSync('/proc/self/fd').length, limit } : undefined
}
