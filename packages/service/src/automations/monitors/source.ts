/**
 * `['_monitors']`: monitors as rows of a query, in the words that they are listed with; `_time` is when each was created. A monitor
 * has no time of its own on a chart, so a query reads them all, whatever its range.
 */
import { MONITORS, type Monitor } from '@deployment-annotations/contract/monitor'
import type { Members } from '@deployment-annotations/contract/schema'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { cellsOf, columnsOf, type RecordSource, type SourceRow } from '../../query/record-sources.ts'
import { LIST_PERMISSION, type Monitors } from './monitors.ts'
import { toWire } from './wire.ts'

const COLUMNS = columnsOf(MONITORS.get.gives.properties as Members)

/** @param monitors asked for with each query */
export function createMonitorSource(monitors: () => Pick<Monitors, 'list'>): RecordSource {
  return {
    name: '_monitors',
    plural: 'monitors',
    permission: LIST_PERMISSION,
    columns: COLUMNS,
    async *read({ limit }) {
      for await (const page of monitors().list({ limit })) yield page.map((monitor) => rowOf(toWire(monitor)))
    },
  }
}

function rowOf(monitor: Monitor): SourceRow {
  return { timeNs: parseTimestamp(monitor.createdAt) ?? 0n, id: monitor.id, cells: cellsOf(COLUMNS, monitor) }
}
