/** Grouped totals as a list of the largest, with all rows to take away. */
import type { Table, TabularAnswer } from '../service/query.ts'
import { formatValue, type Unit } from '../view/unit.ts'
import { showCell, writeCell } from './cell.ts'
import { ResultNotes } from './result-notes.tsx'
import { columnsOf } from './shown-as.ts'
import { TakeAway } from './take-away.tsx'
import { type TopItem, TopList } from './top-list.tsx'

interface ResultTopProps {
  answer: TabularAnswer
  /** The answer of the earlier time that it is compared with, and when that was. */
  earlier: TabularAnswer | undefined
  when: string
  unit: Unit
  utc: boolean
}

export function ResultTop({ answer, earlier, when, unit, utc }: ResultTopProps) {
  const [table] = answer.tables
  if (!table) return null
  const { groups, figures } = columnsOf(table)
  const at = figures[0] ?? 0
  const [before] = earlier?.tables ?? []
  const rows = (table.columns[0] ?? []).map((_, row) => row)
  const items = rows.flatMap((row) => itemOf(table, row, { groups, at, unit, utc }, before && valuesOf(before)))
  const heads = [...groups, at].map((column) => table.fields[column]?.name ?? '')
  return (
    <>
      <div class="row result-bar">
        <span class="hint">{items.length === 1 ? '1 group' : `${items.length.toLocaleString('en')} groups`}</span>
        <TakeAway table={table} rows={rows} />
      </div>
      <ResultNotes status={answer.status} />
      <TopList heads={heads} items={items} when={before ? when : ''} />
    </>
  )
}

interface Columns {
  groups: readonly number[]
  at: number
  unit: Unit
  utc: boolean
}

/** A group without a value has no place in the list. */
function itemOf(
  { fields, columns }: Table,
  row: number,
  { groups, at, unit, utc }: Columns,
  before: ReadonlyMap<string, number> | undefined,
): TopItem[] {
  const value = columns[at]?.[row]
  if (typeof value !== 'number' && typeof value !== 'bigint') return []
  const cells = groups.map((column) => columns[column]?.[row])
  const names = cells.map((cell, n) => {
    const type = fields[groups[n] ?? 0]?.type ?? ''
    return cell === null || cell === undefined ? '(none)' : showCell(cell, { type, isFigure: false, utc })
  })
  const form = { type: fields[at]?.type ?? '', isFigure: true, utc }
  const text = unit === 'none' ? showCell(value, form) : formatValue(Number(value), unit)
  return [{ names, value: Number(value), text, before: before?.get(keyOf(cells)) }]
}

/** The figure of each group. */
function valuesOf(table: Table): Map<string, number> {
  const { groups, figures } = columnsOf(table)
  const values = table.columns[figures[0] ?? 0] ?? []
  return new Map(values.map((value, row) => [keyOf(groups.map((column) => table.columns[column]?.[row])), Number(value)]))
}

function keyOf(cells: readonly unknown[]): string {
  return JSON.stringify(cells.map(writeCell))
}
