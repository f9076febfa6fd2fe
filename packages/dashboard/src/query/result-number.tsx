/** One row of figures: large, each with its name, and with what it was at an earlier time. */
import './query.css'
import { formatValue, type Unit } from '../address/unit.ts'
import type { Table, TabularAnswer } from '../service/query.ts'
import { showFigure } from './cell.ts'
import { NumberList } from './number-list.tsx'
import { ResultNotes } from './result-notes.tsx'

interface ResultNumberProps {
  answer: TabularAnswer
  /** The answer of the earlier time that it is compared with, and when that was. */
  earlier?: TabularAnswer | undefined
  when?: string
  unit?: Unit
}

export function ResultNumber({ answer, earlier, when = '', unit = 'none' }: ResultNumberProps) {
  const table = answer.tables[0]
  const items = table?.fields.map(({ name }, column) => {
    const value = table.columns[column]?.[0]
    const [now, before] = [numberOf(value), numberOf(cellOf(earlier?.tables[0], name))]
    const compared = now === undefined || before === undefined ? undefined : { value: now, before, unit, when }
    return { name, text: unit !== 'none' && now !== undefined ? formatValue(now, unit) : showFigure(value), compared }
  })
  return (
    <>
      <NumberList items={items ?? []} />
      <ResultNotes status={answer.status} />
    </>
  )
}

function cellOf(table: Table | undefined, name: string): unknown {
  const column = table?.fields.findIndex((field) => field.name === name) ?? -1
  return table?.columns[column]?.[0]
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}
