/**
 * `annotate changes`: what changed before a moment or an alert, the likeliest cause first.
 */
import { type Changes, describeWhen } from '@deployment-annotations/contract/release'
import { parseId } from '@deployment-annotations/inputs/input-values'
import { parseDatasets } from '@deployment-annotations/inputs/mark-values'
import { toLog } from '@deployment-annotations/inputs/text'
import type { Command } from 'commander'
import { attempt } from '../attempt.ts'
import { callOptions, connect } from '../connect.ts'
import { createCommand, readFlags, SERVICE_FLAGS } from '../flags.ts'
import { parseSettings } from '../inputs.ts'
import { log, print, printJson } from '../output.ts'

export function createChangesCommand(): Command {
  return createCommand('changes', 'what changed before a moment, the likeliest cause first', [
    'time',
    'monitor',
    'before',
    'datasets',
    ...SERVICE_FLAGS,
    'json',
  ])
    .argument('[ID]', 'an annotation, such as an incident, instead of a time')
    .action((id: string | undefined, given) => showChanges(id, given))
}

async function showChanges(id: string | undefined, given: object): Promise<void> {
  // Without an answer the command has nothing to print, so every error fails it.
  const raw = { ...readFlags(given, process.env, ['time']), onOutage: 'fail', dryRun: 'false' }
  await attempt('ask what changed', raw, async () => {
    const { service, json, annotation, datasets } = await parseSettings({ ...raw, id: id ?? '' }, (flags) => ({
      annotation: () => (id === undefined ? '' : parseId(flags.id)),
      datasets: () => (flags.datasets === '' ? [] : parseDatasets(flags.datasets)),
    }))
    await using client = connect(service)
    const filter = { time: raw.time, monitor: raw.monitor, before: raw.before, annotation, datasets }
    const found = await client.releases.changes(filter, callOptions())
    if (json) return printJson(found)
    for (const note of found.notes) log(toLog(note))
    if (found.changes.length === 0) return log(`There are no annotations from ${found.start} to ${found.end}.`)
    for (const line of found.changes.map(describe)) print(line)
  })
}

const describe = ({ annotation: { id, time, title, type }, likelihood, msBefore, reason }: Changes['changes'][number]) =>
  [likelihood, time.replace(/\.\d+/, ''), title ?? type, describeWhen(msBefore), reason, id].map((text) => toLog(text)).join('  ')
