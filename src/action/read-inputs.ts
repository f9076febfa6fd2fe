/**
 * Reads the inputs that the runner has put into the environment, the same way in the main and the post step.
 */
import { INPUT_DEFAULTS, type InputName, type RawInputs } from './inputs.ts'
import { core } from './toolkit.ts'

/** What axiomhq/annotation-action calls two inputs, for who changes only `uses:` of such a workflow. */
const OTHER_NAMES = { token: 'axiomToken', baseUrl: 'axiomUrl' } as const

/** The token is masked before anything else is done with it, and kept as it is: spaces around it are an error to report. */
export function readInputs(): RawInputs {
  const options = { trimWhitespace: false }
  const token = core.getInput('token', options) || core.getInput(OTHER_NAMES.token, options)
  for (const secret of new Set([token, token.trim()])) if (secret.trim() !== '') core.setSecret(secret)
  const names = Object.keys(INPUT_DEFAULTS) as InputName[]
  const texts = names.map((name) => [name, core.getInput(name) || INPUT_DEFAULTS[name]])
  const raw = { ...(Object.fromEntries(texts) as RawInputs), token }
  const other = core.getInput(OTHER_NAMES.baseUrl)
  return other !== '' && raw.baseUrl === INPUT_DEFAULTS.baseUrl ? { ...raw, baseUrl: other } : raw
}

/** @returns for each input that was given under another name, what to call it */
export function listOtherNames(): string[] {
  return Object.entries(OTHER_NAMES)
    .filter(([, other]) => core.getInput(other) !== '')
    .map(([name, other]) => `The input "${other}" is called "${name}" in this step. It was accepted; rename it in the workflow.`)
}
