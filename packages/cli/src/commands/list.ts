/**
 * `annotate list`: the annotations of an interval, as a table or as JSON.
 */
import type { AnnotationFilter } from '@deployment-annotations/contract/annotation'
import { endOfMillisecond, parseRelativeTime } from '@deployment-annotations/contract/relative-time'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { parseAll } from '@deployment-annotations/inputs/input-error'
import { formatInputTime, parseInputTime } from '@deployment-annotations/inputs/input-time'
import { parseDatasets, parseType } from '@deployment-annotations/inputs/mark-values'
import type { Command } from 'commander'
import { attempt } from '../attempt.ts'
import { callOptions, connect } from '../connect.ts'
import { createCommand, type RawFlags, readFlags, SERVICE_FLAGS } from '../flags.ts'
import { parseSettings } from '../inputs.ts'
import { log, print, printJson } from '../output.ts'
import { formatTable } from '../table.ts'

export function createListCommand(): Command {
  return createCommand('list', 'list annotations, the earliest first', [
    'datasets',
    'type',
    'start',
    'end',
    ...SERVICE_FLAGS,
    'json',
  ]).action((given) => list(given))
}

async function list(given: object): Promise<void> {
  // Without a list the command has nothing to print, so every error fails it.
  const raw = { ...readFlags(given, process.env), onOutage: 'fail', dryRun: 'false' }
  await attempt('list the annotations', raw, async () => {
    const { filter, type, service, json } = await parseSettings(raw, (flags) => ({
      filter: () => parseFilter(flags),
      type: () => (flags.type === '' ? undefined : parseType(flags.type)),
    }))
    await using client = connect(service)
    const listed = await client.annotations.list(filter, callOptions())
    const shown = type === undefined ? listed : listed.filter((annotation) => annotation.type === type)
    if (json) return printJson(shown)
    if (shown.length === 0) return log(`No annotations since ${filter.start}.`)
    for (const line of formatTable(shown)) print(line)
  })
}

function parseFilter(raw: RawFlags): AnnotationFilter {
  const now = endOfMillisecond(Date.now())
  const parse = (name: 'start' | 'end') => () => {
    const relative = parseRelativeTime(raw[name], now)
    if (relative !== undefined) return formatTimestamp(relative)
    const time = parseInputTime(name, raw[name], ' or relative to now, such as "now-1h"')
    return time && formatInputTime(time, formatTimestamp(now))
  }
  const { start, end, datasets } = parseAll<{ start?: string | undefined; end?: string | undefined; datasets: string[] }>({
    start: parse('start'),
    end: parse('end'),
    datasets: () => (raw.datasets === '' ? [] : parseDatasets(raw.datasets)),
  })
  return { datasets, ...(start && { start }), ...(end && { end }) }
}
