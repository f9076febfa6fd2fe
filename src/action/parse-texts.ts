/**
 * The texts of inputs to what they say, for the main step and `compare`. The post step reads the same inputs again and says nothing of them.
 */
import { type FormerNames, refuseFormerNames } from '@deployment-annotations/inputs/former-names'
import { type Parsing, parseCorrected, type RawTexts } from '@deployment-annotations/inputs/parse-corrected'
import { toLog } from '@deployment-annotations/inputs/text'
import { STEP } from './step-door.ts'
import { core, loadCorrections } from './toolkit.ts'

/** @returns what the texts say, corrected where they have to be, which the log tells. @throws InputError. @throws NothingToDo */
export async function parseTexts<R extends RawTexts, T>(former: FormerNames, given: Omit<Parsing<R, T>, 'load'>): Promise<T> {
  refuseFormerNames(former, core.getInput, STEP)
  const { inputs, warnings, notices } = await parseCorrected({ ...given, load: loadCorrections })
  for (const { input, rest } of notices) core.notice(toLog(STEP.subject(input) + rest))
  for (const { input, rest } of warnings) core.warning(toLog(STEP.subject(input) + rest))
  return inputs
}
