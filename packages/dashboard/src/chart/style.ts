/**
 * The colours and lines of charts, light and dark.
 */
import { useEffect, useState } from 'preact/hooks'
import type { Unit } from '../address/unit.ts'
import type { Frame } from './frame.ts'
import { isOwn } from './stack.ts'

export function useDarkMode(): boolean {
  const [isDark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches)
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)')
    const follow = () => setDark(query.matches)
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return isDark
}

export type Shape = 'line' | 'area' | 'bars' | 'stacked'

export interface ChartStyle {
  /** Absent for what suits the frame: an area for one series, lines for several. */
  shape?: Shape | undefined
  unit: Unit
  /** On a logarithmic scale, where zero and what is below it lie on the lower edge. */
  isLog: boolean
}

export const PLAIN: ChartStyle = { unit: 'none', isLog: false }

export function shapeOf({ shape }: ChartStyle, { series }: Frame): Shape {
  return shape ?? (series.filter(isOwn).length === 1 ? 'area' : 'line')
}

/** @returns whether the series are drawn on top of each other: bars of several would hide each other */
export function isStacked(style: ChartStyle, frame: Frame): boolean {
  const shape = shapeOf(style, frame)
  return frame.series.filter(isOwn).length > 1 && (shape === 'stacked' || shape === 'bars')
}

/** A stack says nothing where heights cannot be added. */
export function isLogDrawn(style: ChartStyle, frame: Frame): boolean {
  return style.isLog && !isStacked(style, frame)
}
