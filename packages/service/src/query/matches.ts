/**
 * `matches`: rows as events, `{_time, _sysTime, _rowId, data}`, with `data` nested as it was sent.
 * `_sysTime` is left out where the query took it away.
 */
import { setImmediate } from 'node:timers/promises'
import type { Plan } from '@deployment-annotations/apl/plan'
import { formatRowId } from '@deployment-annotations/apl/row-id'
import type { Match } from '@deployment-annotations/contract/query'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { asJson, type JsonText, type KeyTexts, listOf } from './answer-text.ts'
import { createNester } from './event-fields.ts'
import { decodeKeys } from './json-text.ts'
import type { Rows } from './rows.ts'

const SYSTEM_COLUMNS = new Set(['_time', '_sysTime'])
/** Rows between two turns of others. */
const TURN_ROWS = 1_000

const KEYS: KeyTexts<Match> = { _time: '"_time":', _sysTime: '"_sysTime":', _rowId: '"_rowId":', data: '"data":' }

export async function matchesOf({ columns, wholeEvents }: Plan, rows: Rows): Promise<JsonText<Match[]>> {
  const sysTime = columns.findIndex(({ name }) => name === '_sysTime')
  const dataColumns = columns.flatMap(({ name }, column) => (SYSTEM_COLUMNS.has(name) ? [] : [{ name, column }]))
  const nest = createNester(dataColumns)
  const matches: JsonText<Match>[] = []
  for (const [index, place] of rows.places.entries()) {
    const row = rows.values[index] as string[]
    const received = row[sysTime] ?? 'null'
    const data = wholeEvents ? decodeKeys(rows.events[index] as string) : nest(row)
    const sysTimeMember = received === 'null' ? '' : `${KEYS._sysTime}${received},`
    const time = formatTimestamp(place.timeNs)
    matches.push(asJson(`{${KEYS._time}"${time}",${sysTimeMember}${KEYS._rowId}"${formatRowId(place)}",${KEYS.data}${data}}`))
    if (index % TURN_ROWS === TURN_ROWS - 1) await setImmediate()
  }
  return listOf(matches)
}
