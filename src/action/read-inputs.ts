/**
 * Reads the inputs that the runner has put into the environment, the same way in the main and the post step.
 */
import { INPUT_DEFAULTS, type InputName, type RawInputs } from './inputs.ts'
import { core } from './toolkit.ts'

/** The token is masked before anything else is done with it, and kept as it is: spaces around it are an error to report. */
export function readInputs(): RawInputs {
  const token = core.getInput('token', { trimWhitespace: false })
  for (const secret of new Set([token, token.trim()])) if (secret.trim() !== '') core.setSecret(secret)
  const names = Object.keys(INPUT_DEFAULTS) as InputName[]
  const texts = names.map((name) => [name, core.getInput(name) || INPUT_DEFAULTS[name]])
  return { ...(Object.fromEntries(texts) as RawInputs), token }
}
