/** Reads the inputs from the environment, in the same way in the main and the post step. */
import { INPUT_DEFAULTS, type RawInputs } from './inputs.ts'
import { readTexts } from './read-texts.ts'
import { core, loadDebug } from './toolkit.ts'

/** The names of two inputs in axiomhq/annotation-action, for workflows in which only `uses:` changes. */
const OTHER_NAMES = { token: 'axiomToken', baseUrl: 'axiomUrl' } as const

export function readInputs(): RawInputs {
  const texts = readTexts(INPUT_DEFAULTS, OTHER_NAMES.token)
  // The runner writes `null` for a job without a matrix.
  const raw = texts.jobMatrix === 'null' ? { ...texts, jobMatrix: '' } : texts
  const other = core.getInput(OTHER_NAMES.baseUrl)
  return other !== '' && raw.baseUrl === INPUT_DEFAULTS.baseUrl ? { ...raw, baseUrl: other } : raw
}

/** Shows the inputs if the runner is in debug mode. */
export async function debugInputs(raw: RawInputs): Promise<void> {
  if (core.isDebug()) (await loadDebug()).tellInputs(raw, INPUT_DEFAULTS, OTHER_NAMES)
}

/** @returns a notice for each input that was given under another name */
export function listOtherNames(): string[] {
  return Object.entries(OTHER_NAMES)
    .filter(([, other]) => core.getInput(other) !== '')
    .map(([name, other]) => `The input "${other}" is called "${name}" in this step. It was accepted; rename it in the workflow.`)
}
