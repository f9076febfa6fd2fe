/**
 * `annotate run -- command …`: a span around a command. Whatever is wrong with the span, the command runs, and its exit code is ours.
 */
import { explain } from '@deployment-annotations/inputs/explain'
import { NothingToDo } from '@deployment-annotations/inputs/input-error'
import { describeExit } from '@deployment-annotations/inputs/results'
import type { Command } from 'commander'
import { createCommand, MARK_FLAGS, type RawFlags, readFlags, SERVICE_FLAGS } from '../flags.ts'
import { COMMAND, type MarkInputs, parseFlags, parseMark } from '../inputs.ts'
import { fail, warn } from '../output.ts'
import { type Ended, runCommand } from '../run/run-command.ts'
import { CommandSpan } from '../run/span.ts'
import { reportVerdict, WAIT_FLAGS } from '../verdict.ts'

const NO_SPAN = 'The command runs without a span.'

export function createRunCommand(): Command {
  const marking = MARK_FLAGS.filter((flag) => flag !== 'endTime' && flag !== 'time')
  const flags = [...marking, 'key', 'typeOnFailure', ...WAIT_FLAGS, ...SERVICE_FLAGS] as const
  return createCommand('run', 'put a span around a command; ends with its exit code', flags)
    .passThroughOptions()
    .argument('<command...>', 'what to run, after --')
    .action((command: string[], given) => run(command, given))
}

async function run([program = '', ...args]: string[], given: object): Promise<void> {
  const raw = { ...readFlags(given, process.env), time: '', endTime: '', dryRun: 'false' }
  // The command starts before the inputs of the annotation are read, so that none of them can stop it.
  const running = runCommand(program, args)
  const opening = openSpan(raw)
  const ended = await running
  reportEnd(program, ended)
  const opened = await opening
  if (opened === undefined) return
  // A second signal means that the user does not want to wait for the service.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(ended.exitCode))
  const { span, service, waitMs } = opened
  const id = await span.close(describeEnd(ended))
  if (id === undefined || waitMs === 0 || ended.exitCode !== 0) return
  // The exit code is that of the command, whatever the verdict is.
  await reportVerdict({ id, service, waitMs, summaryFile: raw.summaryFile }).catch((error) =>
    warn(explain(error, 'read the annotation', COMMAND)),
  )
}

/** Runs what follows `--` without an annotation if a flag of `run` is unknown. */
export async function runAnyway([name, ...words]: readonly string[]): Promise<void> {
  const [, program, ...args] = name === 'run' && words.includes('--') ? words.slice(words.indexOf('--')) : []
  if (program === undefined) return
  warn(NO_SPAN)
  reportEnd(program, await runCommand(program, args))
}

interface OpenedSpan extends Pick<MarkInputs, 'service' | 'waitMs'> {
  span: CommandSpan
}

/** @returns `undefined` if there is no span; a warning says why */
async function openSpan(raw: RawFlags): Promise<OpenedSpan | undefined> {
  // Pull requests of forks have no secrets, so a missing token is no error here.
  if (raw.token.trim() === '' && raw.tokenFile === '') {
    warn(`There is no token (ANNOTATE_TOKEN or --token-file).\n${NO_SPAN}`)
    return undefined
  }
  try {
    const inputs = await parseFlags(raw, (flags) => parseMark(flags, true))
    return { ...inputs, span: new CommandSpan(inputs) }
  } catch (error) {
    const why = error instanceof NothingToDo ? error.message : explain(error, 'create the annotation', COMMAND)
    warn(`${why}\n${NO_SPAN}`)
    return undefined
  }
}

function reportEnd(program: string, { error, exitCode }: Ended): void {
  if (error) fail(`Could not run ${program}: ${error.message}`)
  process.exitCode = exitCode
}

function describeEnd({ exitCode, signal, wasCanceled }: Ended): string {
  if (!wasCanceled) return signal === null ? describeExit(exitCode) : `failure (${signal})`
  return `canceled (${signal ?? `exit code ${exitCode}`})`
}
