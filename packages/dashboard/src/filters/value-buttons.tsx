/** Beside a value of a field: buttons that keep the events with it, and those without it. */
import { cutText } from '@deployment-annotations/contract/text'
import type { ComponentChildren } from 'preact'
import { view } from '../address/navigation.ts'
import { showUnseen } from '../query/name.ts'
import { addFilter, removeFilter } from './change-filters.ts'
import { describeFilter, writeFilter } from './filter.ts'

interface ValueButtonsProps {
  field: string
  value: unknown
  /** Of the field, where the service tells it. */
  type?: string
  /** The value as it is shown: a click on it keeps the events with it. By default a sign does. */
  children?: ComponentChildren
}

/** Of what assistive technology reads out. */
const LABEL_POINTS_MAX = 120

/** @returns the value alone where no filter can be made of it */
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
  const label = `Only events where ${cutText(showUnseen(describeFilter(predicate)), LABEL_POINTS_MAX)}`
  return (
    <button
      type="button"
      class="quiet filter-button"
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      onClick={() => (isOn ? removeFilter(predicate) : addFilter(predicate))}
    >
      {children}
    </button>
  )
}
