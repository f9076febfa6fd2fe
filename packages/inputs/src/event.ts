/**
 * What the event of a workflow says is deployed, where that is not the commit of the run: on a pull request this is a merge that nobody
 * has seen, or the base, and after another workflow it is the newest commit of the default branch.
 */
import { readFileSync, statSync } from 'node:fs'
import type { Source } from './source.ts'

/** An event with a pull request has some 30 kB, and the largest that a server sends 25 MB. */
const EVENT_BYTES_MAX = 4 << 20

interface Event {
  pull_request?: { number?: unknown; head?: { sha?: unknown }; merged?: unknown; merge_commit_sha?: unknown } | null
  workflow_run?: { head_sha?: unknown; head_branch?: unknown } | null
}

/** @returns what the event says of the source; nothing where it cannot be read */
export function readEventSource({ GITHUB_EVENT_PATH: path }: NodeJS.ProcessEnv): Source {
  const { pull_request: request, workflow_run: run } = readEvent(path)
  if (!request) return given({ commit: run?.head_sha, branch: run?.head_branch })
  const commit = request.merged === true ? request.merge_commit_sha : request.head?.sha
  return given({ commit, request: Number.isSafeInteger(request.number) ? `#${request.number}` : undefined })
}

/** It is only read where it is a file: reading a pipe might never end. */
function readEvent(path = ''): Event {
  try {
    const found = statSync(path)
    return found.isFile() && found.size <= EVENT_BYTES_MAX ? (JSON.parse(readFileSync(path, 'utf8')) ?? {}) : {}
  } catch {
    return {}
  }
}

function given(members: Record<string, unknown>): Source {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => typeof value === 'string' && value !== ''))
}
