/**
 * The texts of a monitor's annotations: what was found, and the query.
 */
import { DESCRIPTION_POINTS_MAX, TITLE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { MONITOR_OPERATOR_WORDS } from '@deployment-annotations/contract/monitor'
import { cutText } from '@deployment-annotations/contract/text'
import type { MonitorDefinition } from '@deployment-annotations/records/monitor-records'
import type { SpanOperation } from './span-operation.ts'

interface Mark {
  id: string
  atMs: number
  /** Markdown, above the code. */
  found: string
  code: string
  /** With notifyByGroup. */
  group?: string | undefined
}

export function openMark(definition: MonitorDefinition, { id, atMs, found, code, group }: Mark): SpanOperation {
  const { datasets, annotationType, annotationTitle, name } = definition
  const of = (text: string) => cutText(group === undefined ? text : `${text}: ${group}`, TITLE_POINTS_MAX)
  return {
    kind: 'open',
    id,
    atMs,
    datasets,
    type: annotationType,
    title: of(annotationTitle ?? name),
    description: describe(found, code),
    name: of(name),
  }
}

/** @param value `undefined`: there was none */
export function describeFound(definition: MonitorDefinition, value: number | undefined): string {
  const { operator = 'Above', threshold, rangeMinutes } = definition
  const range = `over ${rangeMinutes} ${rangeMinutes === 1 ? 'minute' : 'minutes'}`
  return value === undefined ? `No data ${range}` : `${value} is ${MONITOR_OPERATOR_WORDS[operator]} ${threshold}, ${range}`
}

/** Markdown: what was found, and a block of code, which needs no escaping. */
function describe(found: string, code: string): string {
  const lines = code
    .trim()
    // To Markdown a carriage return alone ends a line too: what follows it would be out of the block.
    .split(/\r\n?|\n/)
    .map((line) => `    ${line}`)
  return cutText(`${found}\n\n${lines.join('\n')}`, DESCRIPTION_POINTS_MAX)
}
