/**
 * What messages say in a step, and not in the command.
 */
import type { Door } from '@deployment-annotations/inputs/door'

/** What messages of the step call an input. */
export const STEP: Door = { subject: (input) => `input "${input}"`, mention: (input) => `"${input}"`, program: 'step' }

/** What to do where there is no token. */
export const NO_TOKEN =
  'pass a secret of the repository or environment, for example secrets.AXIOM_TOKEN. Secrets are absent in workflows that run for a ' +
  'fork and in Dependabot runs, and a reusable workflow gets them only where its caller passes them (`secrets: inherit`)'
