/**
 * Waits for the verdict of the service, writes it where the CI shows it, and fails the command if asked: for `verdict`, and for the
 * commands that create or end a release.
 */
import { appendFileSync } from 'node:fs'
import { type Report, toMarkdown, toText } from '@deployment-annotations/compare/report'
import { isFailing } from '@deployment-annotations/compare/verdict'
import type { Verdict } from '@deployment-annotations/contract/verdict'
import { NO_MARK } from '@deployment-annotations/inputs/comparison'
import type { ServiceInputs } from '@deployment-annotations/inputs/service'
import { toLog } from '@deployment-annotations/inputs/text'
import { waitForVerdict } from '@deployment-annotations/inputs/verdict'
import { EXIT } from './attempt.ts'
import { callOptions, connect } from './connect.ts'
import type { RawFlags } from './flags.ts'
import { fail, log, print, warn } from './output.ts'

/** The flags of commands that can wait for the verdict afterwards. */
export const WAIT_FLAGS = ['wait', 'summaryFile'] as const

interface Asked {
  id: string
  /** How long to wait, in milliseconds; 0: use only a verdict that exists already. */
  waitMs: number
  failOn?: readonly Verdict[]
  service: ServiceInputs
  summaryFile: string
  json?: boolean
  /** Writes the verdict; by default to stderr, beside the output. */
  tell?: (line: string) => void
}

/**
 * Sets the exit code if the verdict, or the lack of one, fails the command.
 * @throws ClientError
 */
export async function reportVerdict({
  id,
  service,
  waitMs,
  failOn = [],
  summaryFile,
  json = false,
  tell = log,
}: Asked): Promise<void> {
  await using client = connect(service)
  const found = await waitForVerdict(id, waitMs, { annotations: client.annotations, options: callOptions(), tell: log })
  if (!found) {
    if (json) print('null')
    // With `--fail-on`, a missing verdict fails the command.
    if (failOn.length === 0) return
    fail('There is no verdict, and --fail-on is given.')
    process.exitCode = EXIT.failed
    return
  }
  if (summaryFile !== '') summarize(summaryFile, toMarkdown(found))
  reportComparison(found, { json, failOn, tell })
}

type Shown = Required<Pick<Asked, 'json' | 'failOn' | 'tell'>>

/** Prints the verdict and sets the exit code if it fails the command. */
export function reportComparison(report: Report, { json, failOn, tell }: Shown): void {
  const lines = toText(report, toLog)
  if (json) print(JSON.stringify(report))
  else for (const line of lines) tell(line)
  if (![report, ...report.series].some(({ verdict }) => isFailing(verdict, failOn))) return
  fail(`${lines[0]}. The command fails because of --fail-on.`)
  process.exitCode = EXIT.failed
}

/** The ID is empty if `mark` printed none. Only `--on-outage fail` makes that a failure. */
export function reportNoMark({ onOutage, json }: RawFlags): void {
  if (json === 'true') print('null')
  if (onOutage === 'fail') {
    fail(`${NO_MARK} The command fails because --on-outage is "fail".`)
    process.exitCode = EXIT.failed
  } else log(NO_MARK)
}

/** An error here is a warning: the verdict is more important than the file. */
function summarize(path: string, markdown: string): void {
  try {
    appendFileSync(path, `${markdown}\n`)
  } catch (error) {
    warn(`The summary cannot be written to ${toLog(path)}: ${toLog(String(error))}`)
  }
}
