/**
 * The groups of a query, each marked by itself: what one run means for all of them. Pure.
 */
import type { MonitorDefinition, StoredMonitorState, Track } from '@deployment-annotations/records/monitor-records'
import type { SpanOperation } from './span-operation.ts'
import { advance } from './track.ts'

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
  before: Readonly<Record<string, Track>>,
  runs: readonly GroupRun[],
  { atMs, newId }: { atMs: number; newId: string },
): GroupsAfter {
  const found = new Map(runs.map((run) => [run.group, run]))
  const known = Object.keys(before)
  const fresh = runs.flatMap(({ group, isPositive }) => (isPositive && !Object.hasOwn(before, group) ? [group] : [])).sort()
  const groups: [string, Track][] = []
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
