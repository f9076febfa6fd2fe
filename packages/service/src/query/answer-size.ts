/**
 * How many bytes an answer sends, before the first of them is sent: the engine writes a value once, and an answer may have it in many
 * columns and beside them in `matches`.
 */
import type { Plan } from '@deployment-annotations/apl/sql/plan'
import { tooManyBytes } from '@deployment-annotations/event-store/reading/engine-errors'
import { READ_LIMITS } from '@deployment-annotations/event-store/reading/reader'
import type { ExecutedQuery } from './execute.ts'
import { createRowReader, type ReadableRows, type Rows } from './rows.ts'

const BYTES_MAX = READ_LIMITS.resultBytesMax
/** Of a row as an event, beside its fields: `{"_time":…,"_sysTime":…,"_rowId":…,"data":{…}},`. */
const EVENT_BYTES = 140
/** Of a value that a row does not have, with its comma. */
const NULL_BYTES = 5
/** Of a name before its value: quotation marks, colon and comma. */
const KEY_BYTES = 4

/**
 * @param forms whether values are sent in columns, and as events or groups with the names of their fields
 * @throws ServiceError `query_too_large` where it would send more bytes than an answer may have
 */
export async function requireAnswerSize(
  plan: Plan,
  { rows, totals }: ExecutedQuery,
  forms: { columns: boolean; named: boolean },
): Promise<void> {
  const tables: [Rows, ReadableRows][] = [[rows, plan]]
  if (totals && plan.totals) tables.push([totals, plan.totals])
  let sent = 0
  for (const [table, readable] of tables) {
    const { columns } = readable
    const times = Number(forms.columns) + Number(forms.named)
    const names = forms.named ? columns.reduce((sum, { name }) => sum + name.length + KEY_BYTES, EVENT_BYTES) : 0
    const ofRow = names + columns.length * NULL_BYTES * times
    const shares = sharesOf(readable)
    const most = Math.max(1, ...shares.values())
    if (sent + table.result.bytes * most * times + table.count * ofRow <= BYTES_MAX) {
      sent += table.result.bytes * most * times + table.count * ofRow
      continue
    }
    const read = createRowReader(readable, [...shares.keys()])
    for await (const texts of table.result.batches()) {
      for (const text of texts) {
        const { values } = read(text)
        for (const [column, share] of shares) sent += (Buffer.byteLength(values[column] as string) + 1) * share * times
        sent += names
      }
      if (sent > BYTES_MAX) throw tooManyBytes(BYTES_MAX)
    }
  }
}

/** @returns how many columns have the same cell, by the first of them */
function sharesOf({ columns }: ReadableRows): Map<number, number> {
  const firsts = new Map<number | string, number>()
  const shares = new Map<number, number>()
  for (const [at, { name, cell }] of columns.entries()) {
    const first = firsts.get(cell ?? name) ?? at
    firsts.set(cell ?? name, first)
    shares.set(first, (shares.get(first) ?? 0) + 1)
  }
  return shares
}
