/** The words of messages that differ between the step and the command. */
import type { Door } from '@deployment-annotations/inputs/door'

/** How messages of the step name an input. */
export const STEP: Door = { subject: (input) => `input "${input}"`, mention: (input) => `"${input}"`, program: 'step' }

/** What to do without a token. */
export const NO_TOKEN =
  'pass a secret of the repository or environment, for example secrets.AXIOM_TOKEN. Secrets are absent in workflows that run for a ' +
  'fork and in Dependabot runs, and a reusable workflow gets them only where its caller passes them (`secrets: inherit`)'
