/**
 * `annotate compare`: what it was like before and after an event, and whether that is worse.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Comparison } from '@deployment-annotations/compare/comparison'
import { toJson, toText } from '@deployment-annotations/compare/report'
import { isFailing } from '@deployment-annotations/compare/verdict'
import { describeComparison } from '@deployment-annotations/compare/words'
import { type ComparisonInputs, lacksEvent, parseComparison } from '@deployment-annotations/inputs/comparison'
import { openSource } from '@deployment-annotations/inputs/comparison-source'
import type { Operation } from '@deployment-annotations/inputs/explain'
import { parseAll } from '@deployment-annotations/inputs/input-error'
import { runComparison } from '@deployment-annotations/inputs/run-comparison'
import { toLog } from '@deployment-annotations/inputs/text'
import type { Command } from 'commander'
import { attempt, EXIT } from '../attempt.ts'
import { callOptions, connect, sourceOptions } from '../connect.ts'
import { createCommand, type RawFlags, readFlags, SERVICE_FLAGS } from '../flags.ts'
import { COMMAND, readTextFile, type Settings, settingsParsers } from '../inputs.ts'
import { fail, log, print } from '../output.ts'
import { reportNoMark } from '../verdict.ts'

const COMPARISON_FLAGS = [
  'time',
  'endTime',
  'queries',
  'queriesFile',
  'source',
  'sourceToken',
  'sourceTenant',
  'service',
  'against',
  'window',
  'before',
  'season',
  'wait',
  'direction',
  'tolerance',
  'confidence',
  'failOn',
] as const

type CompareInputs = Settings & { onOutage: string; wanted: ComparisonInputs }

export function createCompareCommand(): Command {
  const flags = [...COMPARISON_FLAGS, ...SERVICE_FLAGS, 'onOutage', 'json'] as const
  return createCommand('compare', 'compare the time before an event with the time after it: did it hurt?', flags)
    .argument('[ID]', 'the annotation to compare around; or give --time')
    .action((id: string | undefined, given) => compare(id, given))
}

async function compare(givenId: string | undefined, given: object): Promise<void> {
  const id = givenId ?? ''
  // The job's own time describes what it marks, and not what is compared.
  const flags = { ...readFlags(given, process.env, ['time', 'endTime']), dryRun: 'false' }
  if (givenId === '' && lacksEvent({ ...flags, id })) return reportNoMark(flags)
  const isGate = !['', 'never'].includes(flags.failOn)
  // A gate that cannot look does not open, unless that is wanted.
  const raw = {
    ...flags,
    onOutage: isGate && !('onOutage' in given) && process.env.ANNOTATE_ON_OUTAGE === undefined ? 'fail' : flags.onOutage,
  }
  let operation: Operation = 'read the annotation'
  await attempt(
    () => operation,
    raw,
    async () => {
      const needsToken = raw.source === '' || id !== ''
      const { wanted, service, json } = parseAll<CompareInputs>({
        ...settingsParsers(raw, needsToken),
        wanted: () => parseComparison({ ...raw, id, queries: readQueries(raw) }),
      })
      await using client = connect(service)
      await using source = wanted.source && openSource(wanted.source, sourceOptions(service, wanted.windows.windowMs))
      const { comparison, title } = await runComparison(wanted, {
        source,
        getAnnotation: (annotation) => client.annotations.get(annotation, { ...callOptions(), members: 'all' }),
        listAnnotations: (filter) => client.annotations.list(filter, callOptions()),
        listFields: (dataset) => client.datasets.fields(dataset, callOptions()),
        query: (apl, range) => client.query(apl, { ...range, ...callOptions() }),
        sleep,
        tell: log,
        notice: log,
        begin: (next) => {
          operation = next
        },
        door: COMMAND,
      })
      const isFailure = [comparison, ...comparison.series].some(({ verdict }) => isFailing(verdict, wanted.failOn))
      report(comparison, { title, json, isFailure })
    },
  )
}

function readQueries(raw: RawFlags): string {
  return raw.queries !== '' || raw.queriesFile === '' ? raw.queries : readTextFile('queriesFile', raw)
}

function report(comparison: Comparison, { title, json, isFailure }: { title: string; json: boolean; isFailure: boolean }): void {
  if (json) print(toJson(comparison))
  else for (const line of toText(comparison, toLog)) print(line)
  const message = toLog(`${title}: ${describeComparison(comparison)}`)
  if (!isFailure) {
    log(message)
    return
  }
  fail(`${message} The command fails because of --fail-on.`)
  process.exitCode = EXIT.failed
}
