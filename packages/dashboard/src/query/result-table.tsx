/** A result as a table whose columns can be sorted. */
import { cutText } from '@deployment-annotations/contract/text'
import { useMemo, useState } from 'preact/hooks'
import { type CellForm, showCell, sortRows, writeCell } from './cell.ts'
import { type CellActs, useCellActs } from './cell-acts.tsx'
import { isNumeric } from './shown-as.ts'
import './query.css'
import type { Table, TabularAnswer } from '../service/query.ts'
import { showName, showUnseen } from './name.ts'
import { ResultNotes } from './result-notes.tsx'
import { nextSorting, readSorting, type SortedBy, type Sorting, sortOf } from './sorting.ts'
import { TakeAway } from './take-away.tsx'

const TEXT_POINTS_MAX = 120
/** A browser renders this much without a delay; the copy has all of it. */
const OPEN_POINTS_MAX = 100_000

interface ResultCellProps {
  value: unknown
  form: CellForm
  /** Present if there are actions on the value. */
  place: ReturnType<ReturnType<typeof useCellActs>['placeOf']>
}

function ResultCell({ value, form, place }: ResultCellProps) {
  const { type } = form
  if (value === null || value === undefined)
    return (
      <td class={isNumeric(type) ? 'number result-missing' : 'result-missing'}>
        {place ? (
          <div class="result-cell" {...place}>
            –
          </div>
        ) : (
          '–'
        )}
      </td>
    )
  const text = showCell(value, form)
  const isNumber = isNumeric(type) || typeof value === 'number'
  return (
    <td class={isNumber ? 'number' : ''}>
      {cutText(text, TEXT_POINTS_MAX) !== text ? (
        <LongText text={text} place={place} />
      ) : (
        <div
          class="result-cell"
          dir="auto"
          title={type === 'datetime' || text !== String(value) ? writeCell(value) : undefined}
          {...place}
        >
          {text}
        </div>
      )}
    </td>
  )
}

function LongText({ text, place }: { text: string; place: ResultCellProps['place'] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <div class={isOpen ? 'result-cell is-open' : 'result-cell'} dir="auto" {...place}>
        {cutText(text, isOpen ? OPEN_POINTS_MAX : TEXT_POINTS_MAX)}
      </div>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Less' : `All ${text.length.toLocaleString('en')} characters`}
      </button>
      {isOpen && text.length > OPEN_POINTS_MAX && (
        <span class="hint"> The first {OPEN_POINTS_MAX.toLocaleString('en')} of them.</span>
      )}
    </>
  )
}

/** Nobody reads more rows, and they make the page slow; the copy has all of them. */
const ROWS_MAX = 1_000
/** A row may have a thousand fields. */
const CELLS_MAX = 50_000
const NAME_POINTS_MAX = 80

interface ResultTableProps extends SortedBy {
  answer: TabularAnswer
  zone: string
  /** The actions on its values; absent for none. */
  acts?: CellActs | undefined
}

export function ResultTable(props: ResultTableProps) {
  const [table] = props.answer.tables
  if (!table) return <p class="hint">The answer has no table.</p>
  return <Sorted {...props} table={table} />
}

function Sorted({ answer, table, zone, acts, sort, onSort }: ResultTableProps & { table: Table }) {
  const sorting = readSorting(sort, table)
  const rows = useMemo(() => orderRows(table, sorting), [table, sorting?.column, sorting?.isDescending])
  const shown = Math.min(rows.length, ROWS_MAX, Math.ceil(CELLS_MAX / Math.max(1, table.fields.length)))
  const columns = [...table.fields.keys()]
  const { listeners, menu, placeOf } = useCellActs({ acts, table, columns, firstRow: rows[0] })
  return (
    <>
      <div class="row result-bar">
        <span class="hint">{describeRows(rows.length, shown, answer)}</span>
        <TakeAway table={table} rows={rows} />
      </div>
      <ResultNotes status={answer.status} />
      <div class="result-scroll">
        <table class="result-table" {...listeners}>
          <Head table={table} sorting={sorting} onSort={onSort} />
          <tbody>
            {rows.slice(0, shown).map((row) => (
              <tr key={row}>
                {table.fields.map(({ name, type, agg }, column) => (
                  <ResultCell
                    key={name}
                    value={table.columns[column]?.[row]}
                    form={{ type, isFigure: agg !== undefined, zone }}
                    place={placeOf(row, column)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {menu}
    </>
  )
}

interface HeadProps extends Pick<SortedBy, 'onSort'> {
  table: Table
  sorting: Sorting | undefined
}

function Head({ table: { fields }, sorting, onSort }: HeadProps) {
  return (
    <thead>
      <tr>
        {fields.map(({ name, type }, column) => (
          <th key={name} scope="col" class={isNumeric(type) ? 'number' : ''} aria-sort={sortOf(sorting, column)}>
            <button type="button" onClick={() => onSort(nextSorting(sorting, column, name))}>
              <bdi>{cutText(showUnseen(showName(name)), NAME_POINTS_MAX)}</bdi>
            </button>
          </th>
        ))}
      </tr>
    </thead>
  )
}

function orderRows(table: Table, sorting: Sorting | undefined): number[] {
  if (sorting) return sortRows(table, sorting.column, sorting.isDescending)
  return (table.columns[0] ?? []).map((_, row) => row)
}

/** Groups are computed from all matching events; rows of events may be only some of them. */
function describeRows(count: number, shown: number, { status, matches }: TabularAnswer): string {
  const number = (value: number) => value.toLocaleString('en')
  const rows = count === 0 ? 'No rows' : count === 1 ? '1 row' : `${number(count)} rows`
  const which = shown < count ? `The first ${number(shown)} of ${rows}` : rows
  const { rowsMatched = 0 } = status
  return rowsMatched <= count ? which : `${which}, ${matches ? 'of' : 'from'} ${number(rowsMatched)} that match`
}
