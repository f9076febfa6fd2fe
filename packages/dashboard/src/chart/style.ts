/** The style in which a chart is drawn. Pure. */
import type { Unit } from '../address/unit.ts'
import type { Frame } from './frame.ts'
import { isOwn } from './stack.ts'

export type Shape = 'line' | 'area' | 'bars' | 'stacked'

export interface ChartStyle {
  /** Absent for the shape that suits the frame: an area for one series, lines for several. */
  shape?: Shape | undefined
  unit: Unit
  /** Whether the scale is logarithmic, where zero and everything below it lie on the lower edge. */
  isLog: boolean
}

export const PLAIN: ChartStyle = { unit: 'none', isLog: false }

export function shapeOf({ shape }: ChartStyle, { series, panes }: Frame): Shape {
  return shape ?? (panes || series.filter(isOwn).length === 1 ? 'area' : 'line')
}

/** @returns whether the series are stacked: bars of several series would hide each other */
export function isStacked(style: ChartStyle, frame: Frame): boolean {
  const shape = shapeOf(style, frame)
  return !frame.panes && frame.series.filter(isOwn).length > 1 && (shape === 'stacked' || shape === 'bars')
}

/** A stack is drawn on a linear scale, because its heights are added. */
export function isLogDrawn(style: ChartStyle, frame: Frame): boolean {
  return style.isLog && !isStacked(style, frame)
}
