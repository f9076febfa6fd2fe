/**
 * `annotate run -- command …`: a span around a command. Whatever becomes of the span, the command runs, and its exit code is ours.
 */
import { markNow } from '@deployment-annotations/client/identity'
import { explain } from '@deployment-annotations/inputs/explain'
import type { Command } from 'commander'
import { attempt } from '../attempt.ts'
import { readJob } from '../ci/job.ts'
import { describeExit } from '../ci/job-result.ts'
import { createCommand, MARK_FLAGS, type RawFlags, readFlags, SERVICE_FLAGS } from '../flags.ts'
import { COMMAND, parseMark } from '../inputs.ts'
import { fail, warn } from '../output.ts'
import { reportCuts } from '../report.ts'
import { type Ended, runCommand } from '../run/run-command.ts'
import { CommandSpan } from '../run/span.ts'
import { reportVerdict, WAIT_FLAGS } from '../verdict.ts'

export function createRunCommand(): Command {
  const flags = [
    ...MARK_FLAGS.filter((flag) => flag !== 'endTime' && flag !== 'time'),
    'key',
    'typeOnFailure',
    ...WAIT_FLAGS,
    ...SERVICE_FLAGS,
  ] as const
  return createCommand('run', 'put a span around a command; ends with its exit code', flags)
    .passThroughOptions()
    .argument('<command...>', 'what to run, after --')
    .action((command: string[], given) => run(command, given))
}

async function run([program = '', ...args]: string[], given: object): Promise<void> {
  const raw = { ...readFlags(given, process.env), time: '', endTime: '', dryRun: 'false' }
  if (!hasToken(raw)) {
    warn('There is no token (ANNOTATE_TOKEN or --token-file): the command runs without a span.')
    reportEnd(program, await runCommand(program, args))
    return
  }
  await attempt('create the annotation', raw, async () => {
    const inputs = parseMark(raw, readJob(process.env), markNow())
    reportCuts(raw)
    const running = runCommand(program, args)
    const span = new CommandSpan(inputs)
    const ended = await running
    reportEnd(program, ended)
    // Who asks again does not want to wait for the service.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(ended.exitCode))
    const id = await span.close(describeEnd(ended))
    const { service, waitMs } = inputs
    if (id === undefined || waitMs === 0 || ended.exitCode !== 0) return
    // The command has succeeded, whatever is found, and whether or not that can be asked.
    await reportVerdict({ id, service, waitMs, summaryFile: raw.summaryFile }).catch((error) =>
      warn(explain(error, 'read the annotation', COMMAND)),
    )
  })
}

function reportEnd(program: string, { error, exitCode }: Ended): void {
  if (error) fail(`Could not run ${program}: ${error.message}`)
  process.exitCode = exitCode
}

/** A pull request of a fork has no secrets: its command runs all the same. */
function hasToken({ token, tokenFile }: RawFlags): boolean {
  return token.trim() !== '' || tokenFile !== ''
}

function describeEnd({ exitCode, signal, wasCancelled }: Ended): string {
  if (!wasCancelled) return signal === null ? describeExit(exitCode) : `failure (${signal})`
  return `cancelled (${signal ?? `exit code ${exitCode}`})`
}
