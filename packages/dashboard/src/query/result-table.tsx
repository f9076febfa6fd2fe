/** An answer as a table: sorted by a click, every digit kept, whatever the values are. */
import { cutText } from '@deployment-annotations/contract/text'
import './query.css'
import { useMemo, useState } from 'preact/hooks'
import type { Table, TabularAnswer } from '../service/query.ts'
import { sortRows } from './cell.ts'
import { showUnseen } from './name.ts'
import { ResultCell } from './result-cell.tsx'
import { isNumeric } from './result-kind.ts'
import { ResultNotes } from './result-notes.tsx'
import { TakeAway } from './take-away.tsx'

/** People do not read more rows, and they make the page slow; the copy has them all. */
const ROWS_MAX = 1_000
/** Rows can have a thousand fields. */
const CELLS_MAX = 50_000
const NAME_POINTS_MAX = 80

interface Sorting {
  column: number
  /** Of the column: another answer may have another one there. */
  name: string
  isDescending: boolean
}

interface ResultTableProps {
  answer: TabularAnswer
  /** Times in UTC, not in the zone of the browser. */
  utc: boolean
}

export function ResultTable({ answer, utc }: ResultTableProps) {
  const [sorting, setSorting] = useState<Sorting>()
  const table = answer.tables[0]
  const rows = useMemo(() => (table ? orderRows(table, sorting) : []), [table, sorting])
  if (!table) return <p class="hint">The answer has no table.</p>
  const shown = Math.min(rows.length, ROWS_MAX, Math.ceil(CELLS_MAX / Math.max(1, table.fields.length)))
  const current = isOf(table, sorting) ? sorting : undefined
  return (
    <>
      <div class="row result-bar">
        <span class="hint">{describeRows(rows.length, shown, answer)}</span>
        <TakeAway table={table} rows={rows} />
      </div>
      <ResultNotes status={answer.status} />
      <div class="result-scroll">
        <table class="result-table">
          <thead>
            <tr>
              {table.fields.map(({ name, type }, column) => (
                <th key={name} scope="col" class={isNumeric(type) ? 'number' : ''} aria-sort={sortOf(current, column)}>
                  <button type="button" onClick={() => setSorting(nextSorting(current, column, name))}>
                    <bdi>{cutText(showUnseen(name), NAME_POINTS_MAX)}</bdi>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row) => (
              <tr key={row}>
                {table.fields.map(({ name, type, agg }, column) => (
                  <ResultCell key={name} value={table.columns[column]?.[row]} form={{ type, isFigure: agg !== undefined, utc }} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function isOf(table: Table, sorting: Sorting | undefined): sorting is Sorting {
  return sorting !== undefined && table.fields[sorting.column]?.name === sorting.name
}

function orderRows(table: Table, sorting: Sorting | undefined): number[] {
  if (isOf(table, sorting)) return sortRows(table, sorting.column, sorting.isDescending)
  return (table.columns[0] ?? []).map((_, row) => row)
}

/** Ascending, then descending, then as the query has it. */
function nextSorting(sorting: Sorting | undefined, column: number, name: string): Sorting | undefined {
  if (sorting?.column !== column) return { column, name, isDescending: false }
  return sorting.isDescending ? undefined : { ...sorting, isDescending: true }
}

function sortOf(sorting: Sorting | undefined, column: number): 'ascending' | 'descending' | 'none' {
  if (sorting?.column !== column) return 'none'
  return sorting.isDescending ? 'descending' : 'ascending'
}

/** Groups are made from events; rows of events may be some of those that match. */
function describeRows(count: number, shown: number, { status, matches }: TabularAnswer): string {
  const number = (value: number) => value.toLocaleString('en')
  const rows = count === 0 ? 'No rows' : count === 1 ? '1 row' : `${number(count)} rows`
  const which = shown < count ? `The first ${number(shown)} of ${rows}` : rows
  const { rowsMatched = 0 } = status
  return rowsMatched <= count ? which : `${which}, ${matches ? 'of' : 'from'} ${number(rowsMatched)} that match`
}
