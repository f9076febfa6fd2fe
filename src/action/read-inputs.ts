/**
 * Reads the inputs that the runner has put into the environment, the same way in the main and the post step.
 */
import { INPUT_DEFAULTS, type RawInputs } from './inputs.ts'
import { readTexts } from './read-texts.ts'
import { core, loadDebug } from './toolkit.ts'

/** What axiomhq/annotation-action calls two inputs, for who changes only `uses:` of such a workflow. */
const OTHER_NAMES = { token: 'axiomToken', baseUrl: 'axiomUrl' } as const

export function readInputs(): RawInputs {
  const texts = readTexts(INPUT_DEFAULTS, OTHER_NAMES.token)
  // So the runner writes the matrix of a job that has none.
  const raw = texts.jobMatrix === 'null' ? { ...texts, jobMatrix: '' } : texts
  const other = core.getInput(OTHER_NAMES.baseUrl)
  return other !== '' && raw.baseUrl === INPUT_DEFAULTS.baseUrl ? { ...raw, baseUrl: other } : raw
}

/** Tells them where the runner is in debug mode. */
export async function debugInputs(raw: RawInputs): Promise<void> {
  if (core.isDebug()) (await loadDebug()).tellInputs(raw, INPUT_DEFAULTS, OTHER_NAMES)
}

/** @returns for each input that was given under another name, what to call it */
export function listOtherNames(): string[] {
  return Object.entries(OTHER_NAMES)
    .filter(([, other]) => core.getInput(other) !== '')
    .map(([name, other]) => `The input "${other}" is called "${name}" in this step. It was accepted; rename it in the workflow.`)
}
