/**
 * Inputs that cannot be used, and how all of them are found in one go.
 * Deliberately not here: what an input is called. The step says `input "endTime"`, the command `--end-time` (door.ts).
 */
import { ConfigError } from '@deployment-annotations/client/errors'

/** What is wrong with one input: its name as in action.yml, and the rest of the sentence that its name begins. */
export interface Problem {
  input: string
  rest: string
}

/** Its message is for programmers; people read what `explain` makes of the problems. */
export class InputError extends Error {
  override name = 'InputError'
  readonly problems: readonly Problem[]
  constructor(problems: readonly Problem[]) {
    super(problems.map(({ input, rest }) => input + rest).join('\n'))
    this.problems = problems
  }
}

/** The inputs say that there is nothing to create or to close. That is no failure; its message says why. */
export class NothingToDo extends Error {
  override name = 'NothingToDo'
}

/** @throws InputError always */
export function refuse(input: string, rest: string): never {
  throw new InputError([{ input, rest }])
}

/**
 * Runs every parser, whatever becomes of the others.
 * @returns what they gave, under the same names
 * @throws InputError with the problems of all
 */
export function parseAll<T extends object>(parsers: { [K in keyof T]: () => T[K] }): T {
  const values: Partial<T> = {}
  const problems: Problem[] = []
  for (const name of Object.keys(parsers) as (keyof T & string)[]) {
    try {
      values[name] = parsers[name]()
    } catch (error) {
      if (error instanceof InputError) problems.push(...error.problems)
      // The client's messages begin with the name of the option, which is that of the input.
      else if (error instanceof ConfigError) problems.push({ input: name, rest: error.message.replace(`${name} `, ': ') })
      else throw error
    }
  }
  if (problems.length > 0) throw new InputError(problems)
  return values as T
}
