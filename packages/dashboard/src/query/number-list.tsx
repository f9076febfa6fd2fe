/** Shows the result of one row as single numbers. */
import './query.css'
import { formatInUnit, type Unit } from '../address/unit.ts'
import type { Table, TabularAnswer } from '../service/query.ts'
import { numberOf, showCell } from './cell.ts'
import { describeValueChange } from './change.ts'
import { showBeginning } from './name.ts'
import { ResultNotes } from './result-notes.tsx'

interface ResultNumberProps {
  answer: TabularAnswer
  /** The answer for the earlier time, and that time in words. */
  earlier?: TabularAnswer | undefined
  when?: string
  unit?: Unit
}

export function ResultNumber({ answer, earlier, when = '', unit = 'none' }: ResultNumberProps) {
  const table = answer.tables[0]
  return (
    <>
      <dl class="result-numbers">
        {table?.fields.map(({ name, type }, column) => {
          const value = table.columns[column]?.[0]
          const [now, before] = [numberOf(value), numberOf(cellOf(earlier?.tables[0], name))]
          return (
            <div key={name}>
              <dt>
                {showBeginning(name)}
                {now !== undefined && before !== undefined && (
                  <div class="hint">{`${describeValueChange(now, before)} (${formatInUnit(before, unit)} ${when})`}</div>
                )}
              </dt>
              <dd>{showCell(value, { type, isFigure: true, zone: '', unit })}</dd>
            </div>
          )
        })}
      </dl>
      <ResultNotes status={answer.status} />
    </>
  )
}

function cellOf(table: Table | undefined, name: string): unknown {
  const column = table?.fields.findIndex((field) => field.name === name) ?? -1
  return table?.columns[column]?.[0]
}
