/** Selects the rows of a long list that are rendered: those in view and some around them. The page scrolls, and not the list. */
import { defaultRangeExtractor, observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useLayoutEffect, useReducer, useState } from 'preact/hooks'

/** The expected height of a row with one line, and with two on a narrow page; rows are measured when they are rendered. */
const ROW_PX = 30
const NARROW_ROW_PX = 54
const NARROW = '(max-width: 40rem)'
/** The rows beyond the view are enough for one turn of a wheel and for the next Tab. */
const BEYOND = 12

/**
 * @param keyOf returns the key of the row at an index
 * @param kept the index of the row that has the focus or gets it, and therefore is always rendered
 * @param look the look of the rows; a new one changes their heights
 */
export function useRows(
  list: RefObject<HTMLElement | null>,
  count: number,
  keyOf: (index: number) => number,
  kept: number,
  look: unknown,
) {
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
      if (kept >= count || indexes.includes(kept)) return indexes
      return [...indexes, kept].sort((a, b) => a - b)
    },
    onChange: () => draw(0),
  }
  const [virtualizer] = useState(() => new Virtualizer<Window, Element>(options))
  virtualizer.setOptions(options)
  useLayoutEffect(() => virtualizer._didMount(), [])
  useLayoutEffect(() => {
    virtualizer.measure()
    // The virtualizer has forgotten all heights and knows only those that change; asking for the sum makes it use the expected height.
    virtualizer.getTotalSize()
    for (const row of list.current?.querySelectorAll<HTMLElement>('[data-index]') ?? [])
      virtualizer.resizeItem(Number(row.dataset.index), row.getBoundingClientRect().height)
  }, [look])
  useLayoutEffect(() => {
    virtualizer._willUpdate()
    // Charts above the list appear and disappear.
    const top = Math.round((list.current?.getBoundingClientRect().top ?? 0) + scrollY)
    if (top !== offsetPx) setOffset(top)
  })
  return {
    items: virtualizer.getVirtualItems(),
    /** The height of all rows, in pixels. */
    heightPx: virtualizer.getTotalSize(),
    /** The position of the list in the page. */
    offsetPx,
    /** The ref of each row that is rendered. */
    measure: virtualizer.measureElement,
    scrollTo: (index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  }
}
