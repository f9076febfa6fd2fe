/** One value of a result. A long text shows its start, and the rest on request. */
import { cutText } from '@deployment-annotations/contract/text'
import { useState } from 'preact/hooks'
import { type CellForm, showCell, writeCell } from './cell.ts'
import type { placeOf } from './cell-acts.tsx'
import { isNumeric } from './result-kind.ts'

const TEXT_POINTS_MAX = 120
/** What a browser lays out without halting; the copy has all of it. */
const OPEN_POINTS_MAX = 100_000

interface ResultCellProps {
  value: unknown
  form: CellForm
  /** Where something can be done with the value. */
  place: ReturnType<typeof placeOf> | undefined
}

export function ResultCell({ value, form, place }: ResultCellProps) {
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
