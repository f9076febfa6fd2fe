/** The menu and buttons of a value, which keep or exclude the events that have it, or copy it. */

import { cutText } from '@deployment-annotations/contract/text'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { copyText } from '../parts/copy.tsx'
import { SignButton } from '../parts/sign-button.tsx'
import { writeCell } from '../query/cell.ts'
import type { CellActs, CellValue } from '../query/cell-acts.tsx'
import { showUnseen } from '../query/name.ts'
import { describeError } from '../service/request.ts'
import { addFilter, removeFilter } from './change-filters.ts'
import { describeFilter, writeFilter } from './filter.ts'
import { readFilterable } from './filtered.ts'

interface ValueButtonsProps {
  field: string
  value: unknown
  /** The type of the field, if the service reported it. */
  type?: string
  /** The value as it is shown; a click on it keeps the events with it. By default a sign does. */
  children?: ComponentChildren
}

/** A longer value is cut in the label for screen readers. */
const LABEL_POINTS_MAX = 120

/** @returns the value alone if no filter can be made of it */
export function ValueButtons({ field, value, type = '', children }: ValueButtonsProps) {
  const only = writeFilter(field, value, { type })
  const without = writeFilter(field, value, { type, isExcluded: true })
  if (only === undefined || without === undefined) return <>{children}</>
  return (
    <>
      <FilterButton predicate={only}>{children ?? '='}</FilterButton>
      <FilterButton predicate={without}>≠</FilterButton>
    </>
  )
}

function FilterButton({ predicate, children }: { predicate: string; children: ComponentChildren }) {
  const isOn = view.value.filters.includes(predicate)
  return (
    <SignButton
      class="quiet filter-button"
      label={`Only events where ${cutText(showUnseen(describeFilter(predicate)), LABEL_POINTS_MAX)}`}
      isPressed={isOn}
      onClick={() => (isOn ? removeFilter(predicate) : addFilter(predicate))}
    >
      {children}
    </SignButton>
  )
}

const WORDS_POINTS_MAX = 120

/** @param apl the query that returned the values */
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
