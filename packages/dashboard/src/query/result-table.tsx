/** A result as a table whose columns can be sorted. Groups that the query does not sort begin with the largest, with a bar for each. */
import { cutText } from '@deployment-annotations/contract/text'
import { useMemo } from 'preact/hooks'
import { seriesColor } from '../address/colors.ts'
import { view } from '../address/navigation.ts'
import type { Unit } from '../address/unit.ts'
import './query.css'
import type { Table, TabularAnswer } from '../service/query.ts'
import { type CellForm, showCell, sortRows, writeCell } from './cell.ts'
import { type CellActs, useCellActs } from './cell-acts.tsx'
import { showBeginning, showName } from './name.ts'
import { ResultNotes } from './result-notes.tsx'
import { columnsOf, isCount, isNumeric } from './shown-as.ts'
import { nextSorting, readSorting, type SortedBy, type Sorting, sortOf } from './sorting.ts'
import { TakeAway } from './take-away.tsx'

/** The copies of a table have all of a longer text. */
const TEXT_POINTS_MAX = 1_000
const TITLE_POINTS_MAX = 10_000

interface ResultCellProps {
  value: unknown
  form: CellForm
  /** Present if there are actions on the value. */
  place: ReturnType<ReturnType<typeof useCellActs>['placeOf']>
  /** The share of the largest value, if it is drawn below the value. */
  share: number | undefined
}

function ResultCell({ value, form, place, share }: ResultCellProps) {
  const { type } = form
  const isMissing = value === null || value === undefined
  const text = showCell(value, form)
  const whole = writeCell(value)
  const isNumber = isNumeric(type) || typeof value === 'number'
  return (
    <td class={`${isNumber ? 'number' : ''} ${isMissing ? 'result-missing' : ''}`}>
      <div
        class="result-cell"
        dir="auto"
        title={isMissing || whole === text ? undefined : cutText(whole, TITLE_POINTS_MAX)}
        {...place}
      >
        {cutText(text, TEXT_POINTS_MAX)}
      </div>
      {share !== undefined && (
        <div class="top-bar" style={{ width: `${(100 * share).toFixed(2)}%`, background: seriesColor(0) }} />
      )}
    </td>
  )
}

/** Nobody reads more rows, and they make the page slow; the copy has all of them. */
const ROWS_MAX = 1_000
/** A row may have a thousand fields. */
const CELLS_MAX = 50_000

interface ResultTableProps extends SortedBy {
  answer: TabularAnswer
  /** The actions on its values; absent for none. */
  acts?: CellActs | undefined
  /** The unit of the computed values, other than counts. */
  unit?: Unit
}

const NO_TABLE: Table = { fields: [], columns: [], groups: [], order: [] }

export function ResultTable({ answer, acts, unit, sort, onSort }: ResultTableProps) {
  const [table = NO_TABLE] = answer.tables
  const { zone } = view.value
  const { groups, figures } = table.buckets ? { groups: [], figures: [] } : columnsOf(table)
  const chosen = readSorting(sort, table)
  /** The column whose values the bars show. */
  const figure = figures.find((column) => column === chosen?.column) ?? figures[0]
  const barAt = figure === undefined ? undefined : groups.at(-1)
  const largest =
    barAt === undefined || figure === undefined || table.order.length > 0 ? undefined : { column: figure, isDescending: true }
  const sorting = chosen ?? largest
  const rows = useMemo(() => sortRows(table, sorting), [table, sorting?.column, sorting?.isDescending])
  const shown = rows.slice(0, Math.min(ROWS_MAX, Math.ceil(CELLS_MAX / Math.max(1, table.fields.length))))
  const { listeners, menu, placeOf } = useCellActs(acts, table, rows[0])
  const figureOf = (row: number) => Math.max(0, Number(table.columns[figure ?? 0]?.[row] ?? 0))
  const most = Math.max(0, ...shown.map(figureOf)) || 1
  return (
    <>
      <div class="row result-bar">
        <span class="hint">{describeRows(rows.length, shown.length, answer)}</span>
        <TakeAway table={table} rows={rows} />
      </div>
      <ResultNotes status={answer.status} />
      <div class="result-scroll">
        <table class="result-table" {...listeners}>
          <Head table={table} sorting={sorting} onSort={onSort} />
          <tbody>
            {shown.map((row) => (
              <tr key={row}>
                {table.fields.map((field, column) => (
                  <ResultCell
                    key={field.name}
                    value={table.columns[column]?.[row]}
                    form={{ type: field.type, isFigure: field.agg !== undefined, zone, unit: isCount(field) ? 'none' : unit }}
                    place={placeOf(row, column)}
                    share={column === barAt ? figureOf(row) / most : undefined}
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
              <bdi>{showBeginning(showName(name))}</bdi>
            </button>
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** Groups are computed from all matching events; rows of events may be only some of them. */
function describeRows(count: number, shown: number, { status, matches }: TabularAnswer): string {
  const number = (value: number) => value.toLocaleString('en')
  const rows = count === 0 ? 'No rows' : count === 1 ? '1 row' : `${number(count)} rows`
  const which = shown < count ? `The first ${number(shown)} of ${rows}` : rows
  const { rowsMatched = 0 } = status
  return rowsMatched <= count ? which : `${which}, ${matches ? 'of' : 'from'} ${number(rowsMatched)} that match`
}
