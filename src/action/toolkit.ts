/**
 * The toolkit, named once: `@actions/core` for inputs, outputs, state, log and summary, and the workflow context of
 * `@actions/github`. Of that package the bundler takes the context alone, because the step never uses the API client that
 * its entry point builds (docs/decisions/0001-what-the-step-loads.md).
 */
export * as core from '@actions/core'

/** The workflow context without its event: importing it would read that file, which may be large, or no JSON at all. */
export async function readContext(): Promise<typeof import('@actions/github').context> {
  delete process.env.GITHUB_EVENT_PATH
  const { context } = await import('@actions/github' /* webpackMode: "eager" */)
  return context
}

/** Whoever reads the log may have gone: what cannot be written to it must not end what is under way. */
export function outliveLog(): void {
  process.stdout.on('error', () => undefined)
}
