/** The menu and buttons of a value, which keep or exclude the events that have it, or copy it. */
import type { ComponentChildren } from 'preact'
import { view } from '../address/navigation.ts'
import { CopyButton } from '../parts/copy.tsx'
import { SignButton } from '../parts/sign-button.tsx'
import { writeCell } from '../query/cell.ts'
import type { CellActs } from '../query/cell-acts.tsx'
import { showBeginning } from '../query/name.ts'
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

/** @returns the value alone if no filter can be made of it */
export function ValueButtons({ children, ...value }: ValueButtonsProps) {
  const [only, without] = filtersOf(value)
  if (!only || !without) return <>{children}</>
  return (
    <>
      <FilterButton predicate={only}>{children ?? '='}</FilterButton>
      <FilterButton predicate={without}>≠</FilterButton>
    </>
  )
}

/** @returns the filter that keeps the events with a value, and the one that leaves them out; none if there are none for it */
function filtersOf({ field, value, type = '' }: ValueButtonsProps): string[] {
  return [false, true].flatMap((isExcluded) => writeFilter(field, value, { type, isExcluded }) ?? [])
}

function FilterButton({ predicate, children }: { predicate: string; children: ComponentChildren }) {
  const isOn = view.value.filters.includes(predicate)
  return (
    <SignButton
      class="quiet filter-button"
      label={`Only events where ${showBeginning(describeFilter(predicate))}`}
      isPressed={isOn}
      onClick={() => (isOn ? removeFilter(predicate) : addFilter(predicate))}
    >
      {children}
    </SignButton>
  )
}

/** @param apl the query that returned the values */
export function actsOnValues(apl: string): CellActs {
  const isFor = readFilterable(apl)
  return { isFor, menu: (cell, close) => <ValueMenu {...cell} close={close} /> }
}

function ValueMenu({ close, ...cell }: ValueButtonsProps & { close: () => void }) {
  const filters = filtersOf(cell)
  const text = writeCell(cell.value)
  return (
    <>
      <p class="hint">{filters.length > 0 ? 'Only events where' : 'No filter can be made of this value.'}</p>
      {filters.map((predicate) => (
        <button
          key={predicate}
          type="button"
          onClick={() => {
            close()
            addFilter(predicate)
          }}
        >
          {showBeginning(describeFilter(predicate))}
        </button>
      ))}
      {text !== '' && <CopyButton key={text} text={text} label="Copy the value" />}
    </>
  )
}
