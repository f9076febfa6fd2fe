/** A result as a table whose columns can be sorted; as a top list it shows the largest groups, with a bar for each. */
import { cutText } from '@deployment-annotations/contract/text'
import { useMemo, useState } from 'preact/hooks'
import { seriesColor } from '../address/colors.ts'
import type { Unit } from '../address/unit.ts'
import { type CellForm, showCell, sortRows, writeCell } from './cell.ts'
import { type CellActs, useCellActs } from './cell-acts.tsx'
import { columnsOf, isCount, isNumeric } from './shown-as.ts'
import './query.css'
import type { Table, TabularAnswer } from '../service/query.ts'
import { describeValueChange } from './change.ts'
import { showName, showUnseen } from './name.ts'
import { ResultNotes } from './result-notes.tsx'
import { nextSorting, readSorting, type SortedBy, type Sorting, sortOf, writeSorting } from './sorting.ts'
import { TakeAway } from './take-away.tsx'

const TEXT_POINTS_MAX = 120
/** A browser renders this much without a delay; the copy has all of it. */
const OPEN_POINTS_MAX = 100_000

interface ResultCellProps {
  value: unknown
  form: CellForm
  /** Present if there are actions on the value. */
  place: ReturnType<ReturnType<typeof useCellActs>['placeOf']>
  /** The share of the largest value, if it is drawn below the value. */
  share?: number | undefined
}

function ResultCell({ value, form, place, share }: ResultCellProps) {
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
      {share !== undefined && (
        <div class="top-bar" style={{ width: `${(100 * share).toFixed(2)}%`, background: seriesColor(0) }} />
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
const TOP_ROWS_MAX = 50
/** A row may have a thousand fields. */
const CELLS_MAX = 50_000
const NAME_POINTS_MAX = 80

interface ResultTableProps extends SortedBy {
  answer: TabularAnswer
  zone: string
  /** The actions on its values; absent for none. */
  acts?: CellActs | undefined
  /** Shows the largest groups in a unit, compared with the answer for an earlier time, if there is one, and that time in words. */
  top?: { unit: Unit; earlier: TabularAnswer | undefined; when: string }
}

export function ResultTable(props: ResultTableProps) {
  const [table] = props.answer.tables
  if (!table) return <p class="hint">The answer has no table.</p>
  return <Sorted {...props} table={table} />
}

function Sorted({ answer, table, zone, acts, top, sort, onSort }: ResultTableProps & { table: Table }) {
  const { groups, figures } = columnsOf(table)
  const chosen = readSorting(sort, table)
  /** The column whose values the bars show. */
  const figure = figures.find((column) => column === chosen?.column) ?? figures[0] ?? 0
  const sorting = chosen ?? (top && { column: figure, isDescending: true })
  const rows = useMemo(() => orderRows(table, sorting), [table, sorting?.column, sorting?.isDescending])
  const shown = Math.min(rows.length, top ? TOP_ROWS_MAX : ROWS_MAX, Math.ceil(CELLS_MAX / Math.max(1, table.fields.length)))
  const columns = [...table.fields.keys()]
  const { listeners, menu, placeOf } = useCellActs({ acts, table, columns, firstRow: rows[0] })
  const figureOf = (row: number) => Number(table.columns[figure]?.[row] ?? 0)
  const most = Math.max(0, ...rows.slice(0, shown).map(figureOf))
  const before = top?.earlier?.tables[0] && valuesOf(top.earlier.tables[0], figure)
  const unitOf = (column: number) => (figures.includes(column) && !isCount(table.fields[column]) ? top?.unit : undefined)
  return (
    <>
      <div class="row result-bar">
        <span class="hint">{describeRows(rows.length, shown, answer)}</span>
        <TakeAway table={table} rows={rows} />
      </div>
      <ResultNotes status={answer.status} />
      <div class={top ? 'result-scroll top-list' : 'result-scroll'}>
        <table class="result-table" {...listeners}>
          <Head
            table={table}
            sorting={sorting}
            onSort={onSort}
            isTop={top !== undefined}
            also={before && `compared with ${top?.when}`}
          />
          <tbody>
            {rows.slice(0, shown).map((row) => (
              <tr key={row}>
                {table.fields.map(({ name, type, agg }, column) => (
                  <ResultCell
                    key={name}
                    value={table.columns[column]?.[row]}
                    form={{ type, isFigure: agg !== undefined, zone, unit: unitOf(column) }}
                    place={placeOf(row, column)}
                    share={top && column === groups.at(-1) && most > 0 ? Math.max(0, figureOf(row)) / most : undefined}
                  />
                ))}
                {before && <td>{describeBefore(figureOf(row), before.get(keyOf(table, row)))}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {menu}
    </>
  )
}

function describeBefore(value: number, before: number | undefined): string {
  return before === undefined ? 'new' : describeValueChange(value, before)
}

/** Maps each group to its value. */
function valuesOf(table: Table, column: number): Map<string, number> {
  return new Map((table.columns[column] ?? []).map((value, row) => [keyOf(table, row), Number(value)]))
}

function keyOf(table: Table, row: number): string {
  return JSON.stringify(columnsOf(table).groups.map((column) => writeCell(table.columns[column]?.[row])))
}

interface HeadProps extends Pick<SortedBy, 'onSort'> {
  table: Table
  sorting: Sorting | undefined
  /** Whether a click sorts by the largest first. */
  isTop: boolean
  /** The name of a last column that is none of the table. */
  also: string | undefined
}

function Head({ table: { fields }, sorting, onSort, isTop, also }: HeadProps) {
  return (
    <thead>
      <tr>
        {fields.map(({ name, type }, column) => (
          <th key={name} scope="col" class={isNumeric(type) ? 'number' : ''} aria-sort={sortOf(sorting, column)}>
            <button type="button" onClick={() => onSort(isTop ? writeSorting(name, true) : nextSorting(sorting, column, name))}>
              <bdi>{cutText(showUnseen(showName(name)), NAME_POINTS_MAX)}</bdi>
            </button>
          </th>
        ))}
        {also !== undefined && <th scope="col">{also}</th>}
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
