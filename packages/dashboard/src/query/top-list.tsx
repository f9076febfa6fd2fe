/** A result as a top list: the groups with the largest values. */
import { cutText } from '@deployment-annotations/contract/text'
import './top-list.css'
import { seriesColor } from '../address/type-colors.ts'
import { formatInUnit, type Unit } from '../address/unit.ts'
import type { Table, TabularAnswer } from '../service/query.ts'
import { showCell, showFigure, writeCell } from './cell.ts'
import { type CellActs, useCellActs } from './cell-acts.tsx'
import { describeValueChange } from './change.ts'
import { showUnseen } from './name.ts'
import { ResultNotes } from './result-notes.tsx'
import { columnsOf, isCount } from './shown-as.ts'
import { readSorting, type SortedBy, writeSorting } from './sorting.ts'
import { TakeAway } from './take-away.tsx'

const NAME_POINTS_MAX = 200
/** Nobody reads more; a table has all of them. */
const ROWS_MAX = 50

interface TopItem {
  /** One for each name of the list. */
  names: readonly string[]
  /** The value that the list is sorted by. */
  value: number
  /** All values of the group, for people. */
  texts: readonly string[]
  before?: number | undefined
  /** The index of the color of its bar. */
  color?: number
  /** The row of the answer; present if there are actions on its names. */
  row?: number
}

interface TopFigure {
  name: string
  /** Whether the list is sorted by this column, and its bars show it. */
  isChosen: boolean
  /** Chooses the column; absent if it is the only one. */
  choose?: () => void
}

interface TopListProps {
  /** The columns of names, each with its index in the answer. */
  heads: readonly { name: string; column: number }[]
  figures: readonly TopFigure[]
  items: readonly TopItem[]
  /** The earlier time in words, such as `a day earlier`; empty without a comparison. */
  when: string
  /** The actions on a name; absent for none. */
  acts?: CellActs | undefined
  /** The answer that has the names. */
  table?: Table
}

export function TopList({ heads, figures, items, when, acts, table }: TopListProps) {
  const largest = [...items].sort((one, other) => other.value - one.value)
  const shown = largest.slice(0, ROWS_MAX)
  const most = shown[0]?.value ?? 0
  const columns = heads.map(({ column }) => column)
  const { listeners, menu, placeOf } = useCellActs({ acts, table, columns, firstRow: shown[0]?.row })
  return (
    <div class="result-scroll top-list">
      <table class="result-table" {...listeners}>
        <Head heads={heads} figures={figures} when={when} />
        <tbody>
          {shown.map((item) => (
            <tr key={item.names.join('\n')}>
              {item.names.map((name, n) => (
                <td key={heads[n]?.name}>
                  <bdi class="top-name" {...placeOf(item.row ?? 0, heads[n]?.column ?? 0)}>
                    {cutText(showUnseen(name), NAME_POINTS_MAX)}
                  </bdi>
                  {n === item.names.length - 1 && <Bar item={item} most={most} />}
                </td>
              ))}
              {item.texts.map((text, n) => (
                <td key={figures[n]?.name} class={figures[n]?.isChosen ? 'number is-chosen' : 'number'}>
                  {text}
                </td>
              ))}
              {when !== '' && <td>{item.before === undefined ? 'new' : describeValueChange(item.value, item.before)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {largest.length > shown.length && (
        <p class="hint top-more">
          The {ROWS_MAX} largest of {largest.length.toLocaleString('en')}; the table has all of them.
        </p>
      )}
      {menu}
    </div>
  )
}

function Head({ heads, figures, when }: Pick<TopListProps, 'heads' | 'figures' | 'when'>) {
  return (
    <thead>
      <tr>
        {heads.map(({ name }) => (
          <th key={name} scope="col">
            <Words text={name} />
          </th>
        ))}
        {figures.map(({ name, isChosen, choose }) => (
          <th key={name} scope="col" class="number" aria-sort={choose && (isChosen ? 'descending' : 'none')}>
            {choose ? (
              <button type="button" onClick={choose}>
                <Words text={name} />
              </button>
            ) : (
              <Words text={name} />
            )}
          </th>
        ))}
        {when !== '' && <th scope="col">compared with {when}</th>}
      </tr>
    </thead>
  )
}

function Words({ text }: { text: string }) {
  return <bdi>{cutText(showUnseen(text), NAME_POINTS_MAX)}</bdi>
}

function Bar({ item: { value, color = 0 }, most }: { item: TopItem; most: number }) {
  const share = most > 0 ? Math.max(0, value) / most : 0
  return <div class="top-bar" style={{ width: `${(share * 100).toFixed(2)}%`, background: seriesColor(color) }} />
}

interface ResultTopProps extends SortedBy {
  answer: TabularAnswer
  /** The answer for the earlier time, and that time in words. */
  earlier: TabularAnswer | undefined
  when: string
  unit: Unit
  zone: string
  /** The actions on the values of its groups; absent for none. */
  acts?: CellActs | undefined
}

export function ResultTop({ answer, earlier, when, unit, zone, acts, sort, onSort }: ResultTopProps) {
  const [table] = answer.tables
  if (!table) return null
  const { groups, figures } = columnsOf(table)
  const sorted = readSorting(sort, table)?.column
  const at = figures.find((column) => column === sorted) ?? figures[0] ?? 0
  const [before] = earlier?.tables ?? []
  const rows = (table.columns[0] ?? []).map((_, row) => row)
  const items = rows.flatMap((row) => itemOf(table, row, { groups, figures, at, unit, zone }, before && valuesOf(before, at)))
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
        table={table}
      />
    </>
  )
}

interface Columns {
  groups: readonly number[]
  figures: readonly number[]
  /** The column that the list is sorted by. */
  at: number
  unit: Unit
  zone: string
}

/** A group without a value is left out. */
function itemOf(
  { fields, columns }: Table,
  row: number,
  { groups, figures, at, unit, zone }: Columns,
  before: ReadonlyMap<string, number> | undefined,
): TopItem[] {
  const value = columns[at]?.[row]
  if (typeof value !== 'number' && typeof value !== 'bigint') return []
  const cells = groups.map((column) => columns[column]?.[row])
  const names = cells.map((cell, n) => {
    const type = fields[groups[n] ?? 0]?.type ?? ''
    return cell === null || cell === undefined ? '(none)' : showCell(cell, { type, isFigure: false, zone })
  })
  const texts = figures.map((column) => textOf(columns[column]?.[row], fields[column], unit))
  return [{ names, value: Number(value), texts, before: before?.get(keyOf(cells)), row }]
}

/** A count has no unit. */
function textOf(value: unknown, field: Table['fields'][number] | undefined, unit: Unit): string {
  const hasUnit = unit !== 'none' && !isCount(field) && value !== null && value !== undefined
  return hasUnit ? formatInUnit(Number(value), unit) : showFigure(value)
}

/** Maps each group to its value. */
function valuesOf(table: Table, at: number): Map<string, number> {
  const { groups } = columnsOf(table)
  const values = table.columns[at] ?? []
  return new Map(values.map((value, row) => [keyOf(groups.map((column) => table.columns[column]?.[row])), Number(value)]))
}

function keyOf(cells: readonly unknown[]): string {
  return JSON.stringify(cells.map(writeCell))
}
