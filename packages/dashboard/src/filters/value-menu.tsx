/** What can be done with a value of a result: keep the events with it, leave them out, or copy it. */
import { cutText } from '@deployment-annotations/contract/text'
import { useState } from 'preact/hooks'
import { copyText } from '../parts/copy-text.ts'
import { writeCell } from '../query/cell.ts'
import type { CellActs, CellValue } from '../query/cell-acts.tsx'
import { showUnseen } from '../query/name.ts'
import { describeError } from '../service/request.ts'
import { addFilter } from './change-filters.ts'
import { describeFilter, writeFilter } from './filter.ts'
import { readFilterable } from './filterable.ts'

const WORDS_POINTS_MAX = 120

/** @param apl what the values are the answer to */
export function actsOnValues(apl: string): CellActs {
  const isFor = readFilterable(apl)
  return {
    isFor,
    menu: (cell, close) => <ValueMenu key={JSON.stringify([cell.field, writeCell(cell.value)])} cell={cell} close={close} />,
  }
}

function ValueMenu({ cell: { field, type, value }, close }: { cell: CellValue; close: () => void }) {
  const only = writeFilter(field, value, { type })
  const without = writeFilter(field, value, { type, isExcluded: true })
  const [said, say] = useState('')
  const copy = () => copyText(writeCell(value)).then(close, (error: unknown) => say(`Not copied: ${describeError(error)}`))
  return (
    <>
      {only === undefined || without === undefined ? (
        <p class="hint">No filter can be made of this value.</p>
      ) : (
        <>
          <p class="hint">Only events where</p>
          {[only, without].map((predicate) => (
            <button
              key={predicate}
              type="button"
              onClick={() => {
                close()
                addFilter(predicate)
              }}
            >
              {cutText(showUnseen(describeFilter(predicate)), WORDS_POINTS_MAX)}
            </button>
          ))}
        </>
      )}
      {value !== null && value !== undefined && (
        <button type="button" class="quiet" onClick={() => void copy()}>
          Copy the value
        </button>
      )}
      <span class="hint" role="status">
        {said}
      </span>
    </>
  )
}
