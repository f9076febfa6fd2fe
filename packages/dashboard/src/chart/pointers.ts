/**
 * Handles pointers on a plot: a click asks about a moment, dragging zooms, dragging with Shift marks a span, Ctrl-click marks a point, and
 * a wheel moves.
 */
import type uPlot from 'uplot'
import { type Range, shiftRange } from '../address/range.ts'

interface PointerActions {
  range: () => Range
  /** Shows another range at once with the data that is loaded. */
  slide: (range: Range) => void
  onRange: (range: Range) => void
  onMark: (span: Range) => void
  onMoment: (ms: number) => void
}

const NOTHING = { left: 0, top: 0, width: 0, height: 0 } as const

/** A shorter drag counts as a click. */
const DRAG_PX_MIN = 4
/** Nobody clicks more exactly: what is so near to the right of a click was meant, too. */
const NEAR_PX = 4
/** The narrowest range that a drag leads to. */
const RANGE_MS_MIN = 2
/** After a wheel has rested for this long, the new range is loaded. */
const WHEEL_MS = 180

export type Pointers = ReturnType<typeof createPointers>

export function createPointers({ range, slide, onRange, onMark, onMoment }: PointerActions) {
  let wantsSpan = false
  // All charts are notified of a drag on one of them; only that one acts on it.
  let isDragged = false
  let pressedX = 0
  const gone = new AbortController()
  let resting: ReturnType<typeof setTimeout> | undefined
  return {
    /** uPlot's hook of that name. */
    setSelect(plot: uPlot) {
      const { left, width } = plot.select
      if (width === 0) return
      // All charts show the selection of one, and all have to clear it.
      plot.setSelect(NOTHING, false)
      if (!isDragged || width < DRAG_PX_MIN) return
      isDragged = false
      const span = spanOf(plot, left, width)
      if (wantsSpan) onMark(span)
      else if (span.endMs - span.startMs >= RANGE_MS_MIN) onRange(span)
    },

    listen(plot: uPlot) {
      // A press counts wherever it is: otherwise a press without a drag would make this plot act on the next drag elsewhere.
      document.addEventListener(
        'mousedown',
        (event) => {
          isDragged = plot.over.contains(event.target as Node)
          wantsSpan = event.shiftKey
          pressedX = event.clientX
        },
        { capture: true, signal: gone.signal },
      )
      plot.over.addEventListener('click', (event) => {
        const msAt = (x: number) => Math.round(plot.posToVal(x, 'x'))
        const ms = msAt(event.offsetX)
        if (event.ctrlKey || event.metaKey) return onMark({ startMs: ms, endMs: ms })
        // A drag ends with a click, too, and a tap shows the values.
        const isTap = event instanceof PointerEvent && event.pointerType === 'touch'
        if (wantsSpan || isTap || Math.abs(event.clientX - pressedX) >= DRAG_PX_MIN) return
        onMoment(msAt(event.offsetX + NEAR_PX))
      })
      const turn = (event: WheelEvent) => {
        const turned = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX
        // Turning the wheel up or down scrolls the page.
        if (turned === 0 || Math.abs(turned) < Math.abs(event.deltaY)) return
        event.preventDefault()
        slide(shiftRange(range(), turned / plot.over.clientWidth))
        clearTimeout(resting)
        resting = setTimeout(() => onRange(range()), WHEEL_MS)
      }
      plot.over.addEventListener('wheel', turn, { passive: false })
      listenToFinger(plot, (span) => span.endMs - span.startMs >= RANGE_MS_MIN && onRange(span))
    },

    stop() {
      gone.abort()
      clearTimeout(resting)
    },
  }
}

/** A shorter way of a finger counts as a tap. */
const FINGER_PX_MIN = 16

/** A finger that moves along the chart selects, as a mouse does; one that moves up or down scrolls the page. */
function listenToFinger(plot: uPlot, onSelect: (span: Range) => void): void {
  let fromX: number | undefined
  const select = (x: number) => {
    const [left, right] = [Math.min(fromX ?? x, x), Math.max(fromX ?? x, x)]
    plot.setSelect({ left, width: right - left, top: 0, height: plot.over.clientHeight }, false)
    return { left, width: right - left }
  }
  const end = (event: PointerEvent, isDone: boolean) => {
    if (fromX === undefined) return
    const { left, width } = select(xOf(plot, event))
    fromX = undefined
    plot.setSelect(NOTHING, false)
    if (isDone && width >= FINGER_PX_MIN) onSelect(spanOf(plot, left, width))
  }
  plot.over.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'touch' || !event.isPrimary) return
    fromX = xOf(plot, event)
    plot.over.setPointerCapture(event.pointerId)
  })
  plot.over.addEventListener('pointermove', (event) => {
    if (fromX !== undefined && event.isPrimary) select(xOf(plot, event))
  })
  plot.over.addEventListener('pointerup', (event) => end(event, true))
  plot.over.addEventListener('pointercancel', (event) => end(event, false))
}

function xOf(plot: uPlot, { clientX }: PointerEvent): number {
  const { left, width } = plot.over.getBoundingClientRect()
  return Math.min(width, Math.max(0, clientX - left))
}

function spanOf(plot: uPlot, left: number, width: number): Range {
  return { startMs: Math.round(plot.posToVal(left, 'x')), endMs: Math.round(plot.posToVal(left + width, 'x')) }
}
