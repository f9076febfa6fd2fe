/**
 * The command `annotate`. A subcommand is a file in `commands/` and a line here.
 */
import { VERSION } from '@deployment-annotations/client/version'
import { Command, CommanderError } from 'commander'
import { EXIT } from './attempt.ts'
import { createChangeCommand } from './commands/change.ts'
import { createChangesCommand } from './commands/changes.ts'
import { createCloseCommand } from './commands/close.ts'
import { createCompareCommand } from './commands/compare.ts'
import { createCompletionCommand } from './commands/completion.ts'
import { createKeepCommand } from './commands/keep.ts'
import { createListCommand } from './commands/list.ts'
import { createMarkCommand } from './commands/mark.ts'
import { createOpenCommand } from './commands/open.ts'
import { createRunCommand, runAnyway } from './commands/run.ts'
import { createVerdictCommand } from './commands/verdict.ts'
import { outliveReaders } from './output.ts'

const AFTER_HELP = `
Every flag may be given as a variable: --end-time as ANNOTATE_END_TIME, --token as ANNOTATE_TOKEN. Give the token as a variable or
with --token-file: as a flag it shows in the list of processes and in the log of a CI that prints commands.

Results go to stdout, everything else to stderr. Exit codes: 0 done, or an outage of the service with --on-outage warn; 1 failed;
2 wrong usage, nothing was sent. run ends with the exit code of its command (128 + n for a signal, 127 not found, 126 not executable).`

const program = new Command('annotate')
  .description('Puts deployments and release spans on your charts, from any CI or shell.')
  .version(VERSION, '--version')
  .enablePositionalOptions()
  .addHelpText('after', AFTER_HELP)
  .addCommand(createMarkCommand())
  .addCommand(createOpenCommand())
  .addCommand(createCloseCommand())
  .addCommand(createChangeCommand())
  .addCommand(createListCommand())
  .addCommand(createChangesCommand())
  .addCommand(createRunCommand())
  .addCommand(createCompareCommand())
  .addCommand(createVerdictCommand())
  .addCommand(createCompletionCommand())
  .addCommand(createKeepCommand(), { hidden: true })

for (const command of [program, ...program.commands]) {
  command.exitOverride()
  // A mistyped `--tokn=…` must not repeat what follows it.
  command.configureOutput({ outputError: (text, write) => write(text.replace(/=(?<=--[\w-]+=)[^\n]*/g, "=…'")) })
}

outliveReaders()
program.parseAsync().catch(async (error: unknown) => {
  if (!(error instanceof CommanderError)) throw error
  if (error.exitCode === 0) return
  process.exitCode = EXIT.usage
  await runAnyway(process.argv.slice(2))
})
