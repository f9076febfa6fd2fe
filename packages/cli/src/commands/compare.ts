/** `annotate compare`: compares the time before an event with the time after it. */
import { COMPARISON_DEFAULTS, lacksEvent, parseComparison } from '@deployment-annotations/inputs/comparison'
import type { Operation } from '@deployment-annotations/inputs/explain'
import { runComparison } from '@deployment-annotations/inputs/run-comparison'
import type { Command } from 'commander'
import { attempt } from '../attempt.ts'
import { callOptions, connect, createTransport, userAgent } from '../connect.ts'
import { createCommand, type RawFlags, readFlags, SERVICE_FLAGS } from '../flags.ts'
import { COMMAND, parseSettings, readId, readTextFile } from '../inputs.ts'
import { log, print } from '../output.ts'
import { reportComparison, reportNoMark } from '../verdict.ts'

const COMPARISON_FLAGS = [
  'time',
  'endTime',
  'queries',
  'queriesFile',
  'source',
  'sourceToken',
  'sourceTenant',
  'service',
  'baseline',
  'after',
  'before',
  'seasons',
  'wait',
  'direction',
  'minChange',
  'confidence',
  'failOn',
] as const

export function createCompareCommand(): Command {
  const flags = [...COMPARISON_FLAGS, ...SERVICE_FLAGS, 'onOutage', 'json'] as const
  return createCommand('compare', 'compare the time before an event with the time after it: did it hurt?', flags)
    .argument('[ID]', 'the annotation to compare around; or give --time')
    .action((id: string | undefined, given) => compare(id, given))
}

async function compare(givenId: string | undefined, given: object): Promise<void> {
  const id = readId(givenId ?? '')
  // The job's own time describes its annotation, and not what is compared.
  const flags = { ...readFlags(given, process.env, ['time', 'endTime']), dryRun: 'false' }
  if (givenId !== undefined && lacksEvent({ ...flags, id })) return reportNoMark(flags)
  const isGate = !['', 'never'].includes(flags.failOn)
  // With `--fail-on`, an outage fails the command, unless `--on-outage warn` is given.
  const raw = {
    ...flags,
    wait: flags.wait || COMPARISON_DEFAULTS.wait,
    onOutage: isGate && !('onOutage' in given) && process.env.ANNOTATE_ON_OUTAGE === undefined ? 'fail' : flags.onOutage,
  }
  let operation: Operation = 'read the annotation'
  await attempt(
    () => operation,
    raw,
    async () => {
      const needsToken = raw.source === '' || id !== ''
      const { wanted, service, json } = await parseSettings(
        { ...raw, id },
        (flags) => ({ wanted: () => parseComparison({ ...flags, queries: readQueries(flags) }) }),
        needsToken,
      )
      await using client = connect(service)
      const found = await runComparison(wanted, {
        client,
        options: callOptions(),
        reach: { timeoutMs: service.timeoutMs, userAgent, createTransport },
        tell: log,
        notice: log,
        begin: (next) => {
          operation = next
        },
        door: COMMAND,
      })
      reportComparison(found, { json, failOn: wanted.failOn, tell: print })
    },
  )
}

function readQueries(raw: RawFlags): string {
  return raw.queries !== '' || raw.queriesFile === '' ? raw.queries : readTextFile('queriesFile', raw)
}
