/** Grouped totals as a list of the largest, with all rows to take away. */

import { formatValue, type Unit } from '../address/unit.ts'
import type { Table, TabularAnswer } from '../service/query.ts'
import { showCell, showFigure, writeCell } from './cell.ts'
import type { CellActs } from './cell-acts.tsx'
import { ResultNotes } from './result-notes.tsx'
import { columnsOf, isCount } from './shown-as.ts'
import { readSorting, type SortedBy, writeSorting } from './sorting.ts'
import { TakeAway } from './take-away.tsx'
import { type TopItem, TopList } from './top-list.tsx'

interface ResultTopProps extends SortedBy {
  answer: TabularAnswer
  /** The answer of the earlier time that it is compared with, and when that was. */
  earlier: TabularAnswer | undefined
  when: string
  unit: Unit
  utc: boolean
  /** What can be done with the values of its groups. */
  acts?: CellActs | undefined
}

export function ResultTop({ answer, earlier, when, unit, utc, acts, sort, onSort }: ResultTopProps) {
  const [table] = answer.tables
  if (!table) return null
  const { groups, figures } = columnsOf(table)
  const sorted = readSorting(sort, table)?.column
  const at = figures.find((column) => column === sorted) ?? figures[0] ?? 0
  const [before] = earlier?.tables ?? []
  const rows = (table.columns[0] ?? []).map((_, row) => row)
  const items = rows.flatMap((row) => itemOf(table, row, { groups, figures, at, unit, utc }, before && valuesOf(before, at)))
  const nameOf = (column: number) => table.fields[column]?.name ?? ''
  return (
    <>
      <div class="row result-bar">
        <span class="hint">{items.length === 1 ? '1 group' : `${items.length.toLocaleString('en')} groups`}</span>
        <TakeAway table={table} rows={rows} />
      </div>
      <ResultNotes status={answer.status} />
      <TopList
        heads={groups.map((column) => ({ name: nameOf(column), column }))}
        figures={figures.map((column) => ({
          name: nameOf(column),
          isChosen: column === at,
          ...(figures.length > 1 && { choose: () => onSort(writeSorting(nameOf(column), true)) }),
        }))}
        items={items}
        when={before ? when : ''}
        acts={acts}
        valueAt={({ row, column }) => ({
          field: nameOf(column),
          type: table.fields[column]?.type ?? '',
          value: table.columns[column]?.[row],
        })}
      />
    </>
  )
}

interface Columns {
  groups: readonly number[]
  figures: readonly number[]
  /** The figure that the list is sorted by. */
  at: number
  unit: Unit
  utc: boolean
}

/** A group without a value has no place in the list. */
function itemOf(
  { fields, columns }: Table,
  row: number,
  { groups, figures, at, unit, utc }: Columns,
  before: ReadonlyMap<string, number> | undefined,
): TopItem[] {
  const value = columns[at]?.[row]
  if (typeof value !== 'number' && typeof value !== 'bigint') return []
  const cells = groups.map((column) => columns[column]?.[row])
  const names = cells.map((cell, n) => {
    const type = fields[groups[n] ?? 0]?.type ?? ''
    return cell === null || cell === undefined ? '(none)' : showCell(cell, { type, isFigure: false, utc })
  })
  const texts = figures.map((column) => textOf(columns[column]?.[row], fields[column], unit))
  return [{ names, value: Number(value), texts, before: before?.get(keyOf(cells)), row }]
}

/** A count has no unit. */
function textOf(value: unknown, field: Table['fields'][number] | undefined, unit: Unit): string {
  const hasUnit = unit !== 'none' && !isCount(field) && value !== null && value !== undefined
  return hasUnit ? formatValue(Number(value), unit) : showFigure(value)
}

/** The figure of each group. */
function valuesOf(table: Table, at: number): Map<string, number> {
  const { groups } = columnsOf(table)
  const values = table.columns[at] ?? []
  return new Map(values.map((value, row) => [keyOf(groups.map((column) => table.columns[column]?.[row])), Number(value)]))
}

function keyOf(cells: readonly unknown[]): string {
  return JSON.stringify(cells.map(writeCell))
}
