/**
 * `annotate verdict`: waits for what the service says of an annotation by itself, and writes it where a CI shows it.
 */
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { toJson, toMarkdown, toText } from '@deployment-annotations/compare/report'
import { isFailing } from '@deployment-annotations/compare/verdict'
import { describeComparison } from '@deployment-annotations/compare/words'
import type { Verdict } from '@deployment-annotations/contract/verdict'
import { parseVerdicts } from '@deployment-annotations/inputs/comparison'
import { parseAll } from '@deployment-annotations/inputs/input-error'
import { parseId } from '@deployment-annotations/inputs/input-values'
import { toLog } from '@deployment-annotations/inputs/text'
import { waitForVerdict } from '@deployment-annotations/inputs/verdict'
import { parseVerdictWait } from '@deployment-annotations/inputs/verdict-wait'
import type { Command } from 'commander'
import { attempt, EXIT } from '../attempt.ts'
import { callOptions, connect } from '../connect.ts'
import { createCommand, readFlags, SERVICE_FLAGS } from '../flags.ts'
import { type Settings, settingsParsers } from '../inputs.ts'
import { fail, log, print, warn } from '../output.ts'

type VerdictInputs = Settings & { onOutage: string; annotation: string; waitMs: number; failOn: Verdict[] }

export function createVerdictCommand(): Command {
  const flags = ['waitForVerdict', 'failOn', 'summaryFile', ...SERVICE_FLAGS, 'onOutage', 'json'] as const
  return createCommand('verdict', 'wait for what the service says of an annotation: did it hurt?', flags)
    .argument('<ID>', 'the annotation')
    .action((id: string, given) => showVerdict(id, given))
}

async function showVerdict(id: string, given: object): Promise<void> {
  const raw = { ...readFlags(given, process.env), dryRun: 'false' }
  await attempt('read the annotation', raw, async () => {
    const { service, json, annotation, waitMs, failOn } = parseAll<VerdictInputs>({
      ...settingsParsers(raw),
      annotation: () => parseId(id),
      waitMs: () => parseVerdictWait(raw.waitForVerdict),
      failOn: () => parseVerdicts(raw.failOn),
    })
    await using client = connect(service)
    const found = await waitForVerdict(annotation, waitMs, {
      getAnnotation: (one) => client.annotations.get(one, { ...callOptions(), members: 'all' }),
      sleep,
      tell: log,
    })
    if (!found) {
      if (json) print('null')
      // A gate that cannot look does not open.
      if (failOn.length === 0) return
      fail('There is no verdict, and --fail-on is given.')
      process.exitCode = EXIT.failed
      return
    }
    const { comparison, title } = found
    if (json) print(toJson(comparison))
    else for (const line of toText(comparison, toLog)) print(line)
    if (raw.summaryFile !== '') summarize(raw.summaryFile, toMarkdown(comparison, title))
    const message = toLog(`${title}: ${describeComparison(comparison)}`)
    if (![comparison, ...comparison.series].some(({ verdict }) => isFailing(verdict, failOn))) return log(message)
    fail(`${message} The command fails because of --fail-on.`)
    process.exitCode = EXIT.failed
  })
}

/** What was found counts for more than where it is shown. */
function summarize(path: string, markdown: string): void {
  try {
    appendFileSync(path, `${markdown}\n`)
  } catch (error) {
    warn(`The summary cannot be written to ${toLog(path)}: ${toLog(String(error))}`)
  }
}
