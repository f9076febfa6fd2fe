/**
 * `matches`: rows as events, `{_time, _sysTime, _rowId, data}`, with `data` nested as it was sent.
 * `_sysTime` is left out where the query took it away.
 */
import { setImmediate } from 'node:timers/promises'
import type { Plan } from '@deployment-annotations/apl/plan'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { formatRowId } from './cursor.ts'
import { createNester } from './event-fields.ts'
import { decodeKeys } from './json-text.ts'
import type { Rows } from './rows.ts'

const SYSTEM_COLUMNS = new Set(['_time', '_sysTime'])
/** Rows between two turns of others. */
const TURN_ROWS = 1_000

/** @returns JSON text: an array */
export async function matchesOf({ columns, wholeEvents }: Plan, rows: Rows): Promise<string> {
  const sysTime = columns.findIndex(({ name }) => name === '_sysTime')
  const dataColumns = columns.flatMap(({ name }, column) => (SYSTEM_COLUMNS.has(name) ? [] : [{ name, column }]))
  const nest = createNester(dataColumns)
  const matches: string[] = []
  for (const [index, place] of rows.places.entries()) {
    const row = rows.values[index] as string[]
    const received = row[sysTime] ?? 'null'
    const data = wholeEvents ? decodeKeys(rows.events[index] as string) : nest(row)
    matches.push(
      `{"_time":"${formatTimestamp(place.timeNs)}"${received === 'null' ? '' : `,"_sysTime":${received}`},"_rowId":"${formatRowId(place)}","data":${data}}`,
    )
    if (index % TURN_ROWS === TURN_ROWS - 1) await setImmediate()
  }
  return `[${matches.join(',')}]`
}
