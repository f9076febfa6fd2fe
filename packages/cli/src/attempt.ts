/** Runs a subcommand, and turns an error into a message and an exit code: 0 done, 1 failed, 2 wrong usage. */
import type { Operation } from '@deployment-annotations/inputs/explain'
import { InputError, NothingToDo } from '@deployment-annotations/inputs/input-error'
import { isWarn } from '@deployment-annotations/inputs/parse-corrected'
import { explainComparison, isComparisonOutage } from '@deployment-annotations/inputs/run-comparison'
import type { RawFlags } from './flags.ts'
import { COMMAND } from './inputs.ts'
import { fail, log, print, warn } from './output.ts'

export const EXIT = { failed: 1, usage: 2 } as const

/** Never throws: the exit code is set, and what went wrong is on stderr. */
export async function attempt(operation: Operation | (() => Operation), raw: RawFlags, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const message = explainComparison(error, typeof operation === 'function' ? operation() : operation, COMMAND)
    const decider = isComparisonOutage(error) ? 'onOutage' : 'onError'
    const isNothing = error instanceof NothingToDo
    if (isNothing || isWarn(raw[decider])) {
      if (isNothing) log(error.message)
      else warn(`${message} The command ends with 0 because ${COMMAND.mention(decider)} is "warn".`)
      if (raw.json === 'true') print('null')
      return
    }
    fail(message)
    process.exitCode = error instanceof InputError ? EXIT.usage : EXIT.failed
  }
}
