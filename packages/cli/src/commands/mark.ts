/**
 * `annotate mark`: one annotation, as the step creates it.
 */
import { ANNOTATION_CALLS } from '@deployment-annotations/contract/annotation'
import { addressOf } from '@deployment-annotations/contract/call'
import { describe } from '@deployment-annotations/inputs/describe'
import { createOrPut } from '@deployment-annotations/inputs/save'
import type { Command } from 'commander'
import { attempt } from '../attempt.ts'
import { callOptions, connect } from '../connect.ts'
import { createCommand, MARK_FLAGS, readFlags, WRITE_FLAGS } from '../flags.ts'
import { parseFlags, parseMark } from '../inputs.ts'
import { reportDryRun, reportSaved } from '../report.ts'
import { reportVerdict, WAIT_FLAGS } from '../verdict.ts'

export function createMarkCommand(): Command {
  const flags = [...MARK_FLAGS, 'key', ...WAIT_FLAGS, ...WRITE_FLAGS] as const
  return createCommand('mark', 'create an annotation: a point, or a span whose end is known', flags).action((given) =>
    mark(given),
  )
}

async function mark(given: object): Promise<void> {
  const raw = readFlags(given, process.env)
  await attempt('create the annotation', raw, async () => {
    const { intent, service, dryRun, json, waitMs } = await parseFlags(raw, parseMark)
    if (dryRun)
      return reportDryRun(service, { ...addressOf(ANNOTATION_CALLS.create), body: intent.annotation, key: intent.key }, json)
    await using client = connect(service)
    const saved = await createOrPut(client.annotations, intent, callOptions())
    reportSaved(saved, json, describe(saved.outcome, saved.stored, ''))
    if (waitMs > 0) await reportVerdict({ id: saved.stored.id, service, waitMs, summaryFile: raw.summaryFile })
  })
}
