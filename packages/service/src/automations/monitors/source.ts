/**
 * `['_monitors']`: monitors as rows of a query, in the words that they are listed with; `_time` is when each was created. A monitor
 * has no time of its own on a chart, so a query reads them all, whatever its range.
 */
import type { Monitor } from '@deployment-annotations/contract/schemas/monitor'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import type { RecordSource, SourceRow } from '../../query/record-sources.ts'
import { LIST_PERMISSION, type Monitors } from './monitors.ts'
import { toWire } from './wire.ts'

/** The members by the alphabet, those of `state` as `state.…`, but for its groups, which are no value. */
const COLUMNS = {
  alertOnNoData: 'boolean',
  annotationTitle: 'string',
  annotationType: 'string',
  aplQuery: 'string',
  columnName: 'string',
  createdAt: 'datetime',
  createdBy: 'string',
  datasets: 'array',
  description: 'string',
  disabled: 'boolean',
  disabledUntil: 'datetime',
  id: 'string',
  intervalMinutes: 'integer',
  name: 'string',
  notifierIds: 'array',
  notifyByGroup: 'boolean',
  notifyEveryRun: 'boolean',
  operator: 'string',
  rangeMinutes: 'integer',
  resolvable: 'boolean',
  secondDelay: 'integer',
  skipResolved: 'boolean',
  'state.annotationId': 'string',
  'state.error': 'string',
  'state.lastRun': 'datetime',
  'state.lastValue': 'float',
  'state.nextRun': 'datetime',
  'state.since': 'datetime',
  'state.status': 'string',
  threshold: 'float',
  triggerAfterNPositiveResults: 'integer',
  triggerFromNRuns: 'integer',
  type: 'string',
} as const satisfies Record<keyof Omit<Monitor, 'state'> | `state.${Exclude<keyof Monitor['state'], 'groups'>}`, string>

/** @param monitors asked for with each query */
export function createMonitorSource(monitors: () => Pick<Monitors, 'list'>): RecordSource {
  return {
    name: '_monitors',
    plural: 'monitors',
    permission: LIST_PERMISSION,
    columns: new Map(Object.entries(COLUMNS)),
    async *read({ limit }) {
      yield (await monitors().list({ limit })).map((monitor) => rowOf(toWire(monitor)))
    },
  }
}

function rowOf({ state: { groups: _, ...state }, ...monitor }: Monitor): SourceRow {
  const members = new Map<string, string | number | boolean | string[]>([
    ...Object.entries(monitor),
    ...Object.entries(state).map(([name, value]) => [`state.${name}`, value] as const),
  ])
  const cells = Object.entries(COLUMNS).map(([name, type]) => {
    const value = members.get(name)
    return type === 'datetime' && typeof value === 'string' ? parseTimestamp(value) : value
  })
  return { timeNs: parseTimestamp(monitor.createdAt) ?? 0n, id: monitor.id, cells }
}
