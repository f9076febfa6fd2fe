/**
 * The actions on a value of a table: a click or Enter opens a menu. The table has one menu, because it may have fifty thousand values;
 * Tab leads to one of them, and arrow keys to the others.
 */
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Table } from '../service/query.ts'

interface CellValue {
  field: string
  type: string
  value: unknown
}

export interface CellActs {
  /** Whether there are actions on the values of a column. */
  isFor: (field: string) => boolean
  menu: (cell: CellValue, close: () => void) => ComponentChildren
}

const PLACE = '[data-row][data-column]'
const MARGIN_PX = 8

/**
 * @param firstRow the row to which Tab leads
 * @returns the event handlers of a table, its menu, which is rendered beside it, and the props of an element with a value; `undefined`
 *   for a value without a menu
 */
export function useCellActs(acts: CellActs | undefined, { fields, columns }: Table, firstRow: number | undefined) {
  const menu = useRef<HTMLDivElement>(null)
  const [cell, setCell] = useState<CellValue>()
  const acting = new Set([...fields.keys()].filter((column) => acts?.isFor(fields[column]?.name ?? '')))
  const [first] = acting
  const placeOf = (row: number, column: number) =>
    acting.has(column)
      ? ({
          role: 'button',
          tabIndex: row === firstRow && column === first ? 0 : -1,
          'data-row': row,
          'data-column': column,
          'aria-haspopup': 'dialog',
        } as const)
      : undefined
  const open = (place: HTMLElement) => {
    const [row, column] = [Number(place.dataset.row), Number(place.dataset.column)]
    const { name = '', type = '' } = fields[column] ?? {}
    setCell({ field: name, type, value: columns[column]?.[row] })
    // The size of the menu is known once it has its text.
    requestAnimationFrame(() => menu.current && showBeside(menu.current, place.getBoundingClientRect()))
  }
  const drawn = acts && (
    <div ref={menu} popover="auto" role="dialog" aria-label="Actions on the value" class="card cell-menu">
      {cell && acts.menu(cell, () => menu.current?.hidePopover())}
    </div>
  )
  return { listeners: listenersOf(open), menu: drawn, placeOf }
}

function listenersOf(open: (place: HTMLElement) => void) {
  const placeAt = ({ target }: Event) => (target as Element).closest<HTMLElement>(PLACE)
  return {
    onClick: (event: MouseEvent) => {
      const place = placeAt(event)
      // Somebody who selects a text wants to copy it.
      if (place && getSelection()?.isCollapsed !== false) open(place)
    },
    onKeyDown: (event: KeyboardEvent) => {
      const place = placeAt(event)
      if (!place || event.target !== place) return
      const next = nextPlace(place, event.key)
      if (!next && event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      if (next) next.focus()
      else open(place)
    },
    onFocusIn: (event: FocusEvent) => {
      const place = placeAt(event)
      if (!place) return
      for (const other of place.closest('table')?.querySelectorAll<HTMLElement>(`${PLACE}[tabindex="0"]`) ?? [])
        other.tabIndex = -1
      place.tabIndex = 0
    },
  }
}

/** @returns the value that an arrow key leads to; `undefined` for another key, and at the edge */
function nextPlace(place: HTMLElement, key: string): HTMLElement | undefined {
  const isInRow = key === 'ArrowLeft' || key === 'ArrowRight'
  if (!isInRow && key !== 'ArrowUp' && key !== 'ArrowDown') return undefined
  const { row, column } = place.dataset
  const line = isInRow ? `[data-row="${row}"]` : `[data-column="${column}"]`
  const places = [...(place.closest('table')?.querySelectorAll<HTMLElement>(line) ?? [])]
  return places[places.indexOf(place) + (key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 1)]
}

/** The menu is below the value, or above it if there is no room; scrolling closes it. */
function showBeside(menu: HTMLElement, at: DOMRect): void {
  menu.showPopover()
  const { width, height } = menu.getBoundingClientRect()
  const left = Math.max(MARGIN_PX, Math.min(at.left, innerWidth - width - MARGIN_PX))
  const top = at.bottom + height > innerHeight ? Math.max(MARGIN_PX, at.top - height) : at.bottom
  Object.assign(menu.style, { left: `${left}px`, top: `${top}px` })
  menu.querySelector<HTMLElement>('button')?.focus({ preventScroll: true })
  document.addEventListener('scroll', () => menu.matches(':popover-open') && menu.hidePopover(), { capture: true, once: true })
}
