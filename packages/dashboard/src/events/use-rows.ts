/**
 * Which rows of a long list are in the page: those in view and some around them, however many there are. The page scrolls, not
 * the list.
 */
import {
  defaultRangeExtractor,
  observeWindowOffset,
  observeWindowRect,
  type VirtualItem,
  Virtualizer,
  windowScroll,
} from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useLayoutEffect, useReducer, useState } from 'preact/hooks'

/** Of a row with one line, and of one with two, on a narrow page; rows are measured once they are there. */
const ROW_PX = 30
const NARROW_ROW_PX = 54
const NARROW = '(max-width: 40rem)'
/** Rows beyond the view: enough for a turn of a wheel and for the next Tab. */
const BEYOND = 12

interface Rows {
  items: readonly VirtualItem[]
  /** Of all rows, in pixels. */
  heightPx: number
  /** Where the list starts in the page. */
  offsetPx: number
  /** For each row that is in the page. */
  measure: (row: Element | null) => void
  scrollTo: (index: number) => void
}

/**
 * @param keyOf a row, by its index
 * @param kept index of a row that stays in the page wherever it is, because it has the focus; -1 for none
 * @param look of the rows: with another one they have other heights
 */
export function useRows(
  list: RefObject<HTMLElement | null>,
  count: number,
  keyOf: (index: number) => number,
  kept: number,
  look: unknown,
): Rows {
  const [, draw] = useReducer((turn: number) => turn + 1, 0)
  const [offsetPx, setOffset] = useState(0)
  const options = {
    count,
    getItemKey: keyOf,
    getScrollElement: () => (typeof window === 'undefined' ? null : window),
    estimateSize: () => (matchMedia(NARROW).matches ? NARROW_ROW_PX : ROW_PX),
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    initialOffset: () => window.scrollY,
    initialRect: { width: innerWidth, height: innerHeight },
    scrollMargin: offsetPx,
    overscan: BEYOND,
    rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
      const indexes = defaultRangeExtractor(range)
      if (kept < 0 || kept >= count || indexes.includes(kept)) return indexes
      return [...indexes, kept].sort((a, b) => a - b)
    },
    onChange: () => draw(0),
  }
  const [virtualizer] = useState(() => new Virtualizer<Window, Element>(options))
  virtualizer.setOptions(options)
  useLayoutEffect(() => virtualizer._didMount(), [])
  useLayoutEffect(() => {
    virtualizer.measure()
    // It forgets all heights, and then knows only of those that change; asked for the sum, it counts with the usual height again.
    virtualizer.getTotalSize()
    for (const row of list.current?.querySelectorAll<HTMLElement>('[data-index]') ?? [])
      virtualizer.resizeItem(Number(row.dataset.index), row.getBoundingClientRect().height)
  }, [look])
  useLayoutEffect(() => {
    virtualizer._willUpdate()
    // Charts above it come and go.
    const top = Math.round((list.current?.getBoundingClientRect().top ?? 0) + scrollY)
    if (top !== offsetPx) setOffset(top)
  })
  return {
    items: virtualizer.getVirtualItems(),
    heightPx: virtualizer.getTotalSize(),
    offsetPx,
    measure: virtualizer.measureElement,
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  }
}
