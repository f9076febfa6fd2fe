/**
 * Handles pointers on a plot, those of mice and of fingers: a click asks about a moment, Ctrl-click marks a point, dragging zooms, and
 * dragging with Shift marks a span.
 */
import type uPlot from 'uplot'
import type { Range } from '../address/range.ts'

export interface PointerActions {
  onRange: (range: Range) => void
  /** Called when the user marks a span, or a point in time if both ends are equal. */
  onMark: (span: Range) => void
  /** Called with the moment of a plain click. */
  onMoment?: ((ms: number) => void) | undefined
  /** Called with the moment below a mouse. */
  onPoint?: ((ms: number) => void) | undefined
}

const NOTHING = { left: 0, top: 0, width: 0, height: 0 } as const

/** A shorter way counts as a click of a mouse, or as a tap of a finger. */
const DRAG_PX_MIN = 4
const FINGER_PX_MIN = 16
/** Nobody clicks more exactly: what is so near to the right of a click was meant, too. */
const NEAR_PX = 4
/** The narrowest range that a drag leads to. */
const RANGE_MS_MIN = 2

/** @param latest has the actions as they are then */
export function listenToPointer(plot: uPlot, latest: { readonly current: PointerActions }): void {
  const { over } = plot
  let fromX: number | undefined
  const msAt = (x: number) => Math.round(plot.posToVal(x, 'x'))
  const xOf = ({ clientX }: PointerEvent) => {
    const { left, width } = over.getBoundingClientRect()
    return Math.min(width, Math.max(0, clientX - left))
  }
  const end = () => {
    fromX = undefined
    plot.setSelect(NOTHING, false)
  }
  const listen = (type: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel', act: (event: PointerEvent) => void) =>
    over.addEventListener(type, (event) => event.isPrimary && act(event))
  listen('pointerdown', (event) => {
    if (event.button !== 0) return
    fromX = xOf(event)
    over.setPointerCapture(event.pointerId)
  })
  listen('pointermove', (event) => {
    latest.current.onPoint?.(msAt(xOf(event) + NEAR_PX))
    if (fromX === undefined) return
    const x = xOf(event)
    plot.setSelect({ left: Math.min(fromX, x), width: Math.abs(x - fromX), top: 0, height: over.clientHeight }, false)
  })
  listen('pointerup', (event) => {
    if (fromX === undefined) return
    const [from, to] = [fromX, xOf(event)]
    end()
    const isFinger = event.pointerType === 'touch'
    const { onMark, onMoment, onRange } = latest.current
    if (Math.abs(to - from) < (isFinger ? FINGER_PX_MIN : DRAG_PX_MIN)) {
      if (event.ctrlKey || event.metaKey) onMark({ startMs: msAt(to), endMs: msAt(to) })
      // A tap shows the values.
      else if (!isFinger && !event.shiftKey) onMoment?.(msAt(to + NEAR_PX))
      return
    }
    const span = { startMs: msAt(Math.min(from, to)), endMs: msAt(Math.max(from, to)) }
    if (event.shiftKey) onMark(span)
    else if (span.endMs - span.startMs >= RANGE_MS_MIN) onRange(span)
  })
  // What moves up or down scrolls the page, and ends what a finger began.
  listen('pointercancel', end)
}
