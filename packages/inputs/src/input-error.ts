/**
 * Inputs that cannot be used, and how all of them are found in one go.
 */
import { ConfigError } from '@deployment-annotations/client/errors'

/** Each problem is a line that names the input and its value. */
export class InputError extends Error {
  override name = 'InputError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/**
 * Runs every parser, whatever becomes of the others.
 * @returns what they gave, under the same names
 * @throws InputError with the problems of all
 */
export function parseAll<T extends object>(parsers: { [K in keyof T]: () => T[K] }): T {
  const values: Partial<T> = {}
  const problems: string[] = []
  for (const name of Object.keys(parsers) as (keyof T)[]) {
    try {
      values[name] = parsers[name]()
    } catch (error) {
      if (error instanceof InputError) problems.push(...error.problems)
      else if (error instanceof ConfigError) problems.push(error.message)
      else throw error
    }
  }
  if (problems.length > 0) throw new InputError(problems)
  return values as T
}
