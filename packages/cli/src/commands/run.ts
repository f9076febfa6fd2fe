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
  // Begun before anything of the annotation is read, which therefore cannot keep it from running.
  const running = runCommand(program, args)
  const opening = openSpan(raw)
  const ended = await running
  reportEnd(program, ended)
  const opened = await opening
  if (opened === undefined) return
  // Who asks again does not want to wait for the service.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(ended.exitCode))
  const { span, service, waitMs } = opened
  const id = await span.close(describeEnd(ended))
  if (id === undefined || waitMs === 0 || ended.exitCode !== 0) return
  // The command has succeeded, whatever is found, and whether or not that can be asked.
  await reportVerdict({ id, service, waitMs, summaryFile: raw.summaryFile }).catch((error) =>
    warn(explain(error, 'read the annotation', COMMAND)),
  )
}

/** Runs what follows `--` where a flag of `run` is unknown: the annotation is not known then, and the command is. */
export async function runAnyway([name, ...words]: readonly string[]): Promise<void> {
  const [, program, ...args] = name === 'run' && words.includes('--') ? words.slice(words.indexOf('--')) : []
  if (program === undefined) return
  warn(NO_SPAN)
  reportEnd(program, await runCommand(program, args))
}

interface OpenedSpan extends Pick<MarkInputs, 'service' | 'waitMs'> {
  span: CommandSpan
}

/** @returns `undefined` where there is no span; why is a warning */
async function openSpan(raw: RawFlags): Promise<OpenedSpan | undefined> {
  // A pull request of a fork has no secrets.
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
