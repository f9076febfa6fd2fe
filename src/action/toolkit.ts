/**
 * The toolkit, named once: `@actions/core` for inputs, outputs, state, log and summary, and the workflow context of
 * `@actions/github`. Of that package the bundler takes the context alone, because the step never uses the API client that
 * its entry point builds (docs/decisions/0001-what-the-step-loads.md).
 */
export * as core from '@actions/core'

/** Importing it reads the event file. @throws if that is not JSON */
export async function readContext(): Promise<typeof import('@actions/github').context> {
  const { context } = await import('@actions/github' /* webpackMode: "eager" */)
  return context
}
