/**
 * `['_monitors']`: monitors as rows of a query, in the words that they are listed with; `_time` is when each was created. A monitor
 * has no time of its own on a chart, so a query reads them all, whatever its range.
 */
import { MONITORS, type Monitor } from '@deployment-annotations/contract/monitor'
import type { Members, Schema } from '@deployment-annotations/contract/schema'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import type { RecordSource, SourceRow } from '../../query/record-sources.ts'
import { LIST_PERMISSION, type Monitors } from './monitors.ts'
import { toWire } from './wire.ts'

const TYPES = { string: 'string', boolean: 'boolean', integer: 'integer', number: 'float', array: 'array' } as const

type Column = [name: string, type: (typeof TYPES)[keyof typeof TYPES] | 'datetime']

function columnsOf(members: Members, within = ''): Column[] {
  return Object.entries(members).flatMap(([name, { type, format, properties, items }]) => {
    if (properties) return columnsOf(properties as Members, `${name}.`)
    if ((items as Schema | undefined)?.properties) return []
    return [[within + name, format === 'date-time' ? 'datetime' : TYPES[type as keyof typeof TYPES]]]
  })
}

/** The members by the alphabet, those of `state` as `state.…`, but for its groups, which are no value. */
const COLUMNS = new Map(columnsOf(MONITORS.get.gives.properties as Members).sort(([a], [b]) => (a < b ? -1 : 1)))

/** @param monitors asked for with each query */
export function createMonitorSource(monitors: () => Pick<Monitors, 'list'>): RecordSource {
  return {
    name: '_monitors',
    plural: 'monitors',
    permission: LIST_PERMISSION,
    columns: COLUMNS,
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
  const cells = [...COLUMNS].map(([name, type]) => {
    const value = members.get(name)
    return type === 'datetime' && typeof value === 'string' ? parseTimestamp(value) : value
  })
  return { timeNs: parseTimestamp(monitor.createdAt) ?? 0n, id: monitor.id, cells }
}
