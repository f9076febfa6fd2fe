/**
 * `annotate change`: gives an annotation another title, text, link, time or end.
 */
import { markNow } from '@deployment-annotations/client/identity'
import { ANNOTATION_CALLS } from '@deployment-annotations/contract/annotation'
import { addressOf } from '@deployment-annotations/contract/call'
import { buildChange } from '@deployment-annotations/inputs/annotation'
import { describe } from '@deployment-annotations/inputs/describe'
import { parseChange } from '@deployment-annotations/inputs/mark'
import { changeOrGet } from '@deployment-annotations/inputs/save'
import type { Command } from 'commander'
import { attempt } from '../attempt.ts'
import { callOptions, connect } from '../connect.ts'
import { createCommand, MARK_FLAGS, readFlags, WRITE_FLAGS } from '../flags.ts'
import { parseSettings, readId } from '../inputs.ts'
import { log, print } from '../output.ts'
import { reportDryRun, reportSaved } from '../report.ts'

export function createChangeCommand(): Command {
  return createCommand('change', 'change an annotation: only what is given', [...MARK_FLAGS, ...WRITE_FLAGS])
    .argument('<ID>', 'the annotation')
    .action((id: string, given) => change(id, given))
}

async function change(givenId: string, given: object): Promise<void> {
  const id = readId(givenId)
  // Variables describe the annotation of the job; they must not change an annotation that has other datasets.
  const raw = { ...readFlags(given, process.env, MARK_FLAGS), id, key: '', typeOnFailure: '' }
  // The ID is empty if `mark` printed none, as in an outage.
  if (id === '') {
    log('No annotation was made: nothing to change.')
    if (raw.json === 'true') print('null')
    return
  }
  await attempt('change the annotation', raw, async () => {
    const { operation, service, dryRun, json } = await parseSettings(raw, (flags) => ({
      operation: () => parseChange(flags),
    }))
    const body = buildChange(operation.mark, markNow())
    if (dryRun) return reportDryRun(service, { ...addressOf(ANNOTATION_CALLS.change, operation.id), body }, json)
    await using client = connect(service)
    const saved = await changeOrGet(client.annotations, operation.id, body, callOptions())
    reportSaved(saved, json, describe('changed', saved.stored, ''))
  })
}
