/**
 * What differs in messages between the step and the command: what an input is called, and what the program calls itself.
 */
export interface Door {
  /** The name of an input at the start of a problem, such as `input "endTime"` or `--end-time`. */
  subject(input: string): string
  /** The same within a sentence, such as `"endTime"` or `--end-time`. */
  mention(input: string): string
  /** `step` or `command` */
  program: string
}
