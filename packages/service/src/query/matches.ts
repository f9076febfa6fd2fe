/**
 * `matches`: rows as events, `{_time, _sysTime, _rowId, data}`, with `data` nested as it was sent.
 * `_sysTime` is left out where the query took it away.
 */
import type { Plan } from '@deployment-annotations/apl/plan'
import { formatRowId } from '@deployment-annotations/apl/row-id'
import type { Match } from '@deployment-annotations/contract/schemas/query'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { asJson, type JsonPieces, type JsonText, type KeyTexts, listOfBatches } from './answer-text.ts'
import { createNester } from './event-fields.ts'
import { decodeKeys } from './json-text.ts'
import { createRowReader, placeOf, type Row, type Rows } from './rows.ts'

const SYSTEM_COLUMNS = new Set(['_time', '_sysTime'])

const KEYS: KeyTexts<Match> = { _time: '"_time":', _sysTime: '"_sysTime":', _rowId: '"_rowId":', data: '"data":' }

export function matchesOf(plan: Plan, rows: Rows): JsonPieces<Match[]> {
  return listOfBatches(writeMatches(plan, rows))
}

async function* writeMatches(plan: Plan, { result }: Rows): AsyncGenerator<JsonText<Match>[]> {
  const { columns, cells, wholeEvents } = plan
  const sysTime = columns.findIndex(({ name }) => name === '_sysTime')
  const dataColumns = columns.flatMap(({ name }, column) => (SYSTEM_COLUMNS.has(name) ? [] : [{ name, column }]))
  const nest = createNester(dataColumns)
  const read = createRowReader(plan, wholeEvents ? [sysTime].filter((column) => column !== -1) : undefined)
  const write = (row: Row): JsonText<Match> => {
    const place = placeOf(row.cells, cells)
    const received = row.values[sysTime] ?? 'null'
    const data = wholeEvents ? decodeKeys(row.cells[cells.data ?? -1] as string) : nest(row.values)
    const sysTimeMember = received === 'null' ? '' : `${KEYS._sysTime}${received},`
    const time = formatTimestamp(place.timeNs)
    return asJson(`{${KEYS._time}"${time}",${sysTimeMember}${KEYS._rowId}"${formatRowId(place)}",${KEYS.data}${data}}`)
  }
  for await (const texts of result.batches()) yield texts.map((text) => write(read(text)))
}
