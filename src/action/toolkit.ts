/**
 * The toolkit, named once: `@actions/core` for inputs, outputs, state, log and summary. The client of the repository's API, of
 * `@actions/github`, is in a file of its own, which is loaded for "githubToken" (docs/decisions/0001-what-the-step-loads.md).
 */
import { EventEmitter } from 'node:events'
import { writeSync } from 'node:fs'
import * as core from '@actions/core'
import { toLog } from '@deployment-annotations/inputs/text'

export { core }

/** What reads the event, from a file of its own. */
export function loadEvent(): Promise<typeof import('./event.ts')> {
  return import('./event.ts' /* webpackIgnore: true */)
}

/** What asks the repository for commits, from a file of its own. */
export function loadShipped(): Promise<typeof import('./shipped.ts')> {
  leaveEvent()
  return import('./shipped.ts' /* webpackIgnore: true */)
}

/** What tells the repository a verdict, from a file of its own. */
export function loadGithubReport(): Promise<typeof import('./github-report.ts')> {
  leaveEvent()
  return import('./github-report.ts' /* webpackIgnore: true */)
}

/** What corrects inputs, from a file of its own. */
export const loadCorrections = () => import('./corrections.ts' /* webpackIgnore: true */)

/** Importing `@actions/github` would read the file with the event, which may be large, or no JSON at all. */
function leaveEvent(): void {
  delete process.env.GITHUB_EVENT_PATH
}

/** If the runner has no job summary, or it cannot be written, the step goes on without one. */
export async function summarize(text: string): Promise<void> {
  try {
    await core.summary.addRaw(text, true).write()
  } catch (error) {
    core.debug(`no job summary: ${toLog(String(error))}`)
  }
}

/** What tells the way where the runner is in debug mode, from a file of its own. */
export const loadDebug = () => import('./debug.ts' /* webpackIgnore: true */)

/**
 * Writes the log at once, so that nothing of it is lost when the step ends: the stream that Node makes for it takes a millisecond of the
 * step's time, and on Windows it writes later. Whoever reads the log may have gone: that must not end what is under way.
 */
export function outliveLog(): void {
  const { get: openStream } = Object.getOwnPropertyDescriptor(process, 'stdout') ?? {}
  let stream: NodeJS.WriteStream | undefined
  const write = (text: string): boolean => {
    const bytes = Buffer.from(text)
    let written = 0
    try {
      while (stream === undefined && written < bytes.length) written += writeSync(1, bytes, written)
    } catch (error) {
      // A pipe that does not wait for its reader is full.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return false
      stream = openStream?.call(process) as NodeJS.WriteStream
      stream.on('error', () => undefined)
    }
    return stream?.write(bytes.subarray(written)) ?? true
  }
  Object.defineProperty(process, 'stdout', { value: Object.assign(new EventEmitter(), { write }) })
}
