/**
 * Inputs that have another name now. One that is given by its former name is refused, because it would be left out in silence.
 */
import type { Door } from './door.ts'
import { InputError } from './input-error.ts'

/** The former name of an input by its present one. */
export type FormerNames = Readonly<Record<string, string>>

/**
 * Runners that are built on act also give a step the inputs of the composite action around it, which may be called so and passed on:
 * then both names have the same text, and nothing is refused.
 * @param read gives the text of an input, '' where it was not given. @throws InputError that says the present names
 */
export function refuseFormerNames(names: FormerNames, read: (name: string) => string, { mention }: Door): void {
  const given = Object.entries(names).filter(([name, former]) => !['', read(name)].includes(read(former)))
  const problems = given.map(([name, input]) => ({ input, rest: ` is called ${mention(name)} now; rename it` }))
  if (problems.length > 0) throw new InputError(problems)
}
