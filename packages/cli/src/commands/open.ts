/**
 * `annotate open`: starts a span and prints its id, for `annotate close`.
 */
import { ClientError } from '@deployment-annotations/client/errors'
import { ANNOTATION_CALLS } from '@deployment-annotations/contract/annotation'
import { addressOf } from '@deployment-annotations/contract/call'
import { describe } from '@deployment-annotations/inputs/describe'
import { isOutage } from '@deployment-annotations/inputs/explain'
import { createOrPut } from '@deployment-annotations/inputs/save'
import type { Command } from 'commander'
import { attempt } from '../attempt.ts'
import { callOptions, connect } from '../connect.ts'
import { createCommand, MARK_FLAGS, type RawFlags, readFlags, WRITE_FLAGS } from '../flags.ts'
import { type MarkInputs, parseFlags, parseMark } from '../inputs.ts'
import { log } from '../output.ts'
import { reportDryRun, reportSaved } from '../report.ts'
import { forgetSpan, saveSpan } from '../span-file.ts'

export function createOpenCommand(): Command {
  const flags = [...MARK_FLAGS.filter((flag) => flag !== 'endTime'), 'key', 'typeOnFailure', 'state', ...WRITE_FLAGS] as const
  return createCommand('open', 'start a span and print its id', flags).action((given) => open(given))
}

async function open(given: object): Promise<void> {
  const raw = { ...readFlags(given, process.env), endTime: '' }
  await attempt('create the annotation', raw, async () => {
    const inputs = await parseFlags(raw, (flags) => parseMark(flags, true))
    const { intent, service, dryRun, json } = inputs
    if (dryRun)
      return reportDryRun(service, { ...addressOf(ANNOTATION_CALLS.create), body: intent.annotation, key: intent.key }, json)
    const saved = await create(inputs, raw)
    log(describe(saved.outcome, saved.stored, ' until it is closed'))
    reportSaved(saved, json, saved.stored.id)
  })
}

async function create({ intent, service, onOutage }: MarkInputs, { state }: RawFlags) {
  let doubt = false
  const onLostAnswer = () => {
    doubt = true
    saveSpan(state, { intent, doubt })
  }
  saveSpan(state, { intent, doubt })
  await using client = connect(service)
  try {
    const created = await createOrPut(client.annotations, intent, callOptions(onLostAnswer))
    saveSpan(state, { intent, doubt, id: created.stored.id })
    return created
  } catch (error) {
    if (isOutage(error) && onOutage === 'warn') saveSpan(state, { intent, doubt: error.mayHaveTakenEffect, unsent: true })
    else if (error instanceof ClientError && !error.mayHaveTakenEffect) forgetSpan(state)
    throw error
  }
}
