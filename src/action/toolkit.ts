/**
 * The toolkit, named once: `@actions/core` for inputs, outputs, state, log and summary. The client of the repository's API, of
 * `@actions/github`, is in a file of its own, which is loaded for "githubToken" (docs/decisions/0001-what-the-step-loads.md).
 */
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

/** Whoever reads the log may have gone: what cannot be written to it must not end what is under way. */
export function outliveLog(): void {
  process.stdout.on('error', () => undefined)
}
