/** Shows the result of one row as single numbers. */
import './query.css'
import { cutText } from '@deployment-annotations/contract/text'
import { formatInUnit, type Unit } from '../address/unit.ts'
import type { Table, TabularAnswer } from '../service/query.ts'
import { numberOf, showFigure } from './cell.ts'
import { describeValueChange } from './change.ts'
import { showUnseen } from './name.ts'
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
  const items = table?.fields.map(({ name }, column) => {
    const value = table.columns[column]?.[0]
    const [now, before] = [numberOf(value), numberOf(cellOf(earlier?.tables[0], name))]
    const compared = now === undefined || before === undefined ? undefined : { value: now, before, unit, when }
    return { name, text: unit !== 'none' && now !== undefined ? formatInUnit(now, unit) : showFigure(value), compared }
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

const NAME_POINTS_MAX = 120

interface Compared {
  value: number
  before: number
  unit: Unit
  /** The earlier time in words, such as `a day earlier`. */
  when: string
}

interface NumberItem {
  name: string
  text: string
  /** Absent if it is not compared. */
  compared?: Compared | undefined
}

export function NumberList({ items }: { items: readonly NumberItem[] }) {
  return (
    <dl class="result-numbers">
      {items.map(({ name, text, compared }) => (
        <div key={name}>
          <dt>
            {cutText(showUnseen(name), NAME_POINTS_MAX)}
            {compared && <div class="hint">{textOf(compared)}</div>}
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function textOf({ value, before, unit, when }: Compared): string {
  return `${describeValueChange(value, before)} (${formatInUnit(before, unit)} ${when})`
}
