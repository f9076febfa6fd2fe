/** One row of figures: large, each with its name. */
import { cutText } from '@deployment-annotations/contract/text'
import './query.css'
import type { TabularAnswer } from '../service/query.ts'
import { DIGITS, writeCell } from './cell.ts'
import { showUnseen } from './name.ts'
import { ResultNotes } from './result-notes.tsx'

const NAME_POINTS_MAX = 120

export function ResultNumber({ answer }: { answer: TabularAnswer }) {
  const table = answer.tables[0]
  return (
    <>
      <dl class="result-numbers">
        {table?.fields.map(({ name }, column) => (
          <div key={name}>
            <dt>{cutText(showUnseen(name), NAME_POINTS_MAX)}</dt>
            <dd>{showFigure(table.columns[column]?.[0])}</dd>
          </div>
        ))}
      </dl>
      <ResultNotes status={answer.status} />
    </>
  )
}

/** Integers in groups of three digits, all of them there. */
function showFigure(value: unknown): string {
  if (value === null || value === undefined) return '–'
  const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value)
  if (isInteger) return BigInt(writeCell(value)).toLocaleString('en')
  return typeof value === 'number' ? value.toLocaleString('en', { maximumSignificantDigits: DIGITS }) : writeCell(value)
}
