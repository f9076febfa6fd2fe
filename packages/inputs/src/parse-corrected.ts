/**
 * Inputs are data. They are read by the strict rules first; only where those refuse is loaded what corrects them (corrections.ts), and
 * they are read once more. So all that is tolerated is in one file, for the step and the command, and costs the usual inputs nothing.
 */
import { InputError, NothingToDo, type Problem } from './input-error.ts'
import { isValueless } from './text.ts'

/** The text of each input by its name. */
export type RawTexts = Record<string, string>

export interface Corrected {
  /** In the form that the rules take, as far as there is one. */
  raw: RawTexts
  /** What was taken in the place of what, and how a text was understood that may be meant otherwise. */
  warnings: Problem[]
  notices: Problem[]
  /** What may help where an input is refused all the same. */
  hints: Problem[]
  /** Whether the datasets are a list with nothing in it. */
  isEmptyList: boolean
}

export interface Parsing<R extends RawTexts, T> {
  raw: R
  /** What an input is that has no value. */
  defaults: Readonly<Partial<RawTexts>>
  parse: (raw: R) => T
  /** Loads corrections.ts. */
  load: () => Promise<{ correct: (raw: RawTexts, defaults: Readonly<Partial<RawTexts>>) => Corrected }>
}

/** @throws InputError where something is wrong that cannot be corrected. @throws NothingToDo */
export async function parseCorrected<R extends RawTexts, T>({ raw, defaults, parse, load }: Parsing<R, T>) {
  const told = { warnings: [] as Problem[], notices: [] as Problem[] }
  try {
    if (!Object.values(raw).some(isValueless)) return { inputs: parse(raw), ...told }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
  }
  const { correct } = await load()
  const { raw: corrected, warnings, notices, hints, isEmptyList } = correct(raw, defaults)
  try {
    return { inputs: parse(corrected as R), warnings, notices }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    if (isEmptyList) throw new NothingToDo('The list of datasets is empty: there is nothing to annotate.')
    const helpFor = (input: string) => hints.find((hint) => hint.input === input)?.rest ?? ''
    throw new InputError(error.problems.map(({ input, rest }) => ({ input, rest: rest + helpFor(input) })))
  }
}

/** Whether a failure is to be a warning, by what was given for `onError`, which may be wrong itself. */
export function isWarn(text: string): boolean {
  return /^\W*warn/i.test(text)
}
