/**
 * Which annotations a run of a monitor opens and closes: for the whole result of its query, for each group of it, or for each event that
 * it finds; and their texts. Everything here is pure; spans.ts applies the operations to the annotations.
 */

import { DESCRIPTION_POINTS_MAX, TITLE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { MONITOR_OPERATOR_WORDS } from '@deployment-annotations/contract/monitor'
import { cutText } from '@deployment-annotations/contract/text'
import type {
  MonitorDefinition,
  SeriesState,
  StoredMonitorState,
} from '@deployment-annotations/records/automations/monitor-records'

/** A change to an annotation of a monitor. */
export type SpanOperation =
  | {
      readonly kind: 'open'
      readonly id: string
      readonly atMs: number
      readonly datasets: readonly string[]
      readonly type: string
      readonly title: string
      readonly description: string
      /** It goes on until the monitor recovers. */
      readonly isOpen: boolean
      /** In the history; by default the monitor's. */
      readonly name?: string
    }
  | {
      readonly kind: 'close'
      readonly id: string
      readonly atMs: number
      readonly name?: string
      /** The end is for the history only: the annotation stays without one. */
      readonly isUnmarked?: boolean
    }

interface Step {
  /** Absent: nothing was compared. */
  value: number | undefined
  isPositive: boolean
  /** The end of the range that was looked at. */
  atMs: number
  newId: string
  /** With notifyByGroup. */
  group?: string
}

interface Advanced {
  track: SeriesState
  operations: SpanOperation[]
}

export function advance(definition: MonitorDefinition, before: SeriesState, step: Step): Advanced {
  const { isPositive, newId, atMs } = step
  const { needed, looked } = runsOf(definition)
  const positives = `${before.positives ?? ''}${isPositive ? '1' : '0'}`.slice(-looked)
  const count = [...positives].filter((one) => one === '1').length
  const { annotationId } = before
  const kept = looked > 1 ? { positives } : {}
  if (count < needed || (annotationId === undefined && !isPositive)) {
    return { track: kept, operations: closing(definition, annotationId, atMs) }
  }
  if (annotationId !== undefined && !(definition.notifyEveryRun && isPositive)) {
    return { track: { ...kept, annotationId }, operations: [] }
  }
  const { group, value } = step
  const open = openMark(definition, {
    id: newId,
    atMs,
    found: describeFound(definition, value),
    code: definition.aplQuery,
    group,
    isOpen: !definition.skipResolved,
  })
  return { track: { ...kept, annotationId: newId }, operations: [...closing(definition, annotationId, atMs), open] }
}

export function closing({ skipResolved }: MonitorDefinition, id: string | undefined, atMs: number): SpanOperation[] {
  return id === undefined ? [] : [{ kind: 'close', id, atMs, ...(skipResolved && { isUnmarked: true }) }]
}

/** Of as many of the last runs, how many must be beyond the threshold. Where only one of the two is said, it is all of them. */
function runsOf({ triggerFromNRuns, triggerAfterNPositiveResults }: MonitorDefinition): { needed: number; looked: number } {
  const looked = Math.max(1, triggerFromNRuns, triggerAfterNPositiveResults)
  return { looked, needed: triggerAfterNPositiveResults > 0 ? triggerAfterNPositiveResults : looked }
}

/** What a run found of a group. */
export interface GroupRun {
  group: string
  value: number | undefined
  isPositive: boolean
}

/** Groups that are known at a time. Of more, those that were known come first; the monitor's state is written with each run. */
const GROUPS_MAX = 100

interface GroupsAfter {
  state: Pick<StoredMonitorState, 'groups'>
  isOpen: boolean
  operations: SpanOperation[]
}

/** @param runs each group once; one that is known and not among them is not beyond the threshold */
export function runGroups(
  definition: MonitorDefinition,
  before: Readonly<Record<string, SeriesState>>,
  runs: readonly GroupRun[],
  { atMs, newId }: { atMs: number; newId: string },
): GroupsAfter {
  const found = new Map(runs.map((run) => [run.group, run]))
  const known = Object.keys(before)
  const fresh = runs.flatMap(({ group, isPositive }) => (isPositive && !Object.hasOwn(before, group) ? [group] : [])).sort()
  const groups: [string, SeriesState][] = []
  const operations: SpanOperation[] = []
  for (const [at, group] of [...known, ...fresh].slice(0, GROUPS_MAX).entries()) {
    const { value, isPositive } = found.get(group) ?? { value: undefined, isPositive: false }
    const id = at === 0 ? newId : `${newId}-${at}`
    const name = group === '' ? {} : { group }
    const { track, operations: more } = advance(definition, before[group] ?? {}, { value, isPositive, atMs, newId: id, ...name })
    operations.push(...more)
    if (track.annotationId !== undefined || track.positives?.includes('1')) groups.push([group, track])
  }
  const isOpen = groups.some(([, { annotationId }]) => annotationId !== undefined)
  return { state: groups.length === 0 ? {} : { groups: Object.fromEntries(groups) }, isOpen, operations }
}

/** An event that the query found. */
export interface FoundEvent {
  /** Its id as a row, which no other event has. */
  place: string
  atMs: number
  /** As JSON. */
  text: string
}

/** How many events one run annotates: the oldest that have no annotation yet. More would hide a chart. */
const MARKS_MAX = 10

/** @param events the newest of the range, the newest first */
export function markEvents(
  definition: MonitorDefinition,
  events: readonly FoundEvent[],
  { marked, newId }: { marked: readonly string[]; newId: string },
): Pick<StoredMonitorState, 'marked'> & { operations: SpanOperation[] } {
  const before = new Set(marked)
  const fresh = events
    .filter(({ place }) => !before.has(place))
    .slice(-MARKS_MAX)
    .reverse()
  const operations = fresh.map(({ atMs, text }, at) =>
    openMark(definition, {
      id: at === 0 ? newId : `${newId}-${at}`,
      atMs,
      found: 'An event that matches',
      code: text,
      isOpen: false,
    }),
  )
  // Those that left the range do not come back.
  const known = [...events.filter(({ place }) => before.has(place)), ...fresh].map(({ place }) => place)
  return { ...(known.length > 0 && { marked: known }), operations }
}

interface Mark {
  id: string
  atMs: number
  /** Markdown, above the code. */
  found: string
  code: string
  isOpen: boolean
  /** With notifyByGroup. */
  group?: string | undefined
}

function openMark(definition: MonitorDefinition, { id, atMs, found, code, group, isOpen }: Mark): SpanOperation {
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
    isOpen,
    name: of(name),
  }
}

/** @param value `undefined`: there was none */
function describeFound(definition: MonitorDefinition, value: number | undefined): string {
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
