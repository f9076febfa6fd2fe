/** Inputs that cannot be used; each problem is a line that names the input and its value. */
export class InputError extends Error {
  override name = 'InputError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}
