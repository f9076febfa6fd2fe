/**
 * The toolkit, named once: `@actions/core` for inputs, outputs, state, log and summary, and the workflow context of
 * `@actions/github`. The context is taken from its own file because the package's entry point loads a whole API
 * client with it, which the step never uses (docs/decisions/0001-what-the-step-loads.md has the numbers).
 */

export * as core from '@actions/core'
export { Context } from '../../node_modules/@actions/github/lib/context.js'
