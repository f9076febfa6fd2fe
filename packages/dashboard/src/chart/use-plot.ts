/** Creates a plot for a component, updates it, and creates it anew when its style, its zone or the names of its series change. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Range } from '../address/range.ts'
import { colorChoices } from '../address/type-colors.ts'
import { useMedia } from '../parts/use-media.ts'
import type { Found } from './found.ts'
import { type Hover, type PlacedMarks, Plot, type PlotContent } from './plot.ts'
import { type ChartStyle, PLAIN } from './style.ts'

export interface PlotProps extends Omit<PlotContent, 'found'> {
  /** None by default. */
  found?: PlotContent['found'] | undefined
  zone: string
  /** By default a line or an area of plain numbers. */
  style?: ChartStyle | undefined
  onRange: (range: Range) => void
  /** Called when the user marks a span, or a point in time if both ends are equal. */
  onMark: (span: Range) => void
  /** Called when the pointer enters another bin, and with `undefined` when it leaves. */
  onHover?: (hover: Hover | undefined) => void
}

const NONE: readonly Found[] = []

/** @returns the ref of the element that the plot fills, and where its marks lie */
export function usePlot(props: PlotProps) {
  const { frame, range, marks, found = NONE, hidden, zone, style = PLAIN } = props
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  const [placed, setPlaced] = useState<PlacedMarks>({ groups: [], found: [], left: 0 })
  const isDark = useMedia('(prefers-color-scheme: dark)')
  const seriesKey = [...frame.series.map(({ label }) => label), ...(frame.panes?.map(({ unit }) => unit) ?? [])].join('\n')
  useEffect(() => {
    if (!place.current) return
    const made = new Plot(place.current, {
      ...latest.current,
      found: latest.current.found ?? NONE,
      style,
      onRange: (to) => latest.current.onRange(to),
      onMark: (span) => latest.current.onMark(span),
      onHover: (hover) => latest.current.onHover?.(hover),
      onMarks: setPlaced,
    })
    made.setHidden(latest.current.hidden)
    plot.current = made
    return () => {
      made.destroy()
      plot.current = undefined
    }
  }, [seriesKey, zone, isDark, style.shape, style.unit, style.isLog])
  useEffect(() => plot.current?.update(frame, range), [frame, range.startMs, range.endMs])
  useEffect(() => plot.current?.setMarks(marks, found), [marks, found])
  useEffect(() => plot.current?.setHidden(hidden), [hidden])
  const choices = colorChoices()
  useEffect(() => plot.current?.recolor(), [choices])
  return { place, ...placed }
}
