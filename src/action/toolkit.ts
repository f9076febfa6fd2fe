/**
 * The toolkit, named once: `@actions/core` for inputs, outputs, state, log and summary. The client of the repository's API, of
 * `@actions/github`, is in a file of its own, which is loaded for "githubToken" (docs/decisions/0001-what-the-step-loads.md).
 */
import { EventEmitter } from 'node:events'
import { writeSync } from 'node:fs'
import * as core from '@actions/core'
import { toLog } from '@deployment-annotations/inputs/text'

export { core }

/** Loads what reads the event, from a file of its own. */
export function loadEvent(): Promise<typeof import('./event.ts')> {
  return import('./event.ts' /* webpackIgnore: true */)
}

/** Loads what asks the repository for commits, from a file of its own. */
export function loadShipped(): Promise<typeof import('./shipped.ts')> {
  leaveEvent()
  return import('./shipped.ts' /* webpackIgnore: true */)
}

/** Loads what writes a verdict to the repository, from a file of its own. */
export function loadGithubReport(): Promise<typeof import('./github-report.ts')> {
  leaveEvent()
  return import('./github-report.ts' /* webpackIgnore: true */)
}

/** Loads what corrects inputs, from a file of its own. */
export const loadCorrections = () => import('./corrections.ts' /* webpackIgnore: true */)

/** Hides the event from `@actions/github`, which would read it when it is imported: the file may be large, or no JSON at all. */
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

/** Loads what shows the way in debug mode, from a file of its own. */
export const loadDebug = () => import('./debug.ts' /* webpackIgnore: true */)

/**
 * Writes the log synchronously, so that nothing of it is lost when the step ends. Node's own stream takes a millisecond to create, and
 * writes later on Windows. The step goes on if the reader of the log is gone.
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
      // The pipe is full, and does not block.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return false
      stream = openStream?.call(process) as NodeJS.WriteStream
      stream.on('error', () => undefined)
    }
    return stream?.write(bytes.subarray(written)) ?? true
  }
  Object.defineProperty(process, 'stdout', { value: Object.assign(new EventEmitter(), { write }) })
}
