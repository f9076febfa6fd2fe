/** Creates a plot for a component, updates it, and creates it anew when its unit, its zone or the names of its series change. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Range } from '../address/range.ts'
import type { Unit } from '../address/unit.ts'
import { useMedia } from '../parts/use-media.ts'
import type { Found } from './found.ts'
import { type Hover, type PlacedMarks, Plot, type PlotContent } from './plot.ts'

export interface PlotProps extends Omit<PlotContent, 'found'> {
  /** None by default. */
  found?: PlotContent['found'] | undefined
  zone: string
  /** The unit of the values of a frame without panes; none by default. */
  unit?: Unit | undefined
  onRange: (range: Range) => void
  /** Called when the user marks a span, or a point in time if both ends are equal. */
  onMark: (span: Range) => void
  /** Called with the moment of a plain click. */
  onMoment?: ((ms: number) => void) | undefined
  /** Called when the pointer enters another bin, and with `undefined` when it leaves. */
  onHover?: (hover: Hover | undefined) => void
}

const NONE: readonly Found[] = []

/** @returns the ref of the element that the plot fills, and where its marks lie */
export function usePlot(props: PlotProps) {
  const { frame, range, marks, found = NONE, hidden, zone, unit = 'none' } = props
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  const [placed, setPlaced] = useState<PlacedMarks>({ groups: [], found: [], left: 0, valuesWidth: 0, width: 0 })
  const isDark = useMedia('(prefers-color-scheme: dark)')
  const seriesKey = [...frame.series.map(({ label }) => label), ...(frame.panes?.map(({ unit }) => unit) ?? [])].join('\n')
  useEffect(() => {
    if (!place.current) return
    // Nothing else is handed on: the plot lives on, and with an element of its first props the whole page of that time would.
    const { frame, range, marks, found = NONE, hidden } = latest.current
    const made = new Plot(place.current, {
      ...{ frame, range, marks, found, hidden, zone, unit },
      onRange: (to) => latest.current.onRange(to),
      onMark: (span) => latest.current.onMark(span),
      onMoment: (ms) => latest.current.onMoment?.(ms),
      onHover: (hover) => latest.current.onHover?.(hover),
      onMarks: setPlaced,
    })
    made.setHidden(hidden)
    plot.current = made
    return () => {
      made.destroy()
      plot.current = undefined
    }
  }, [seriesKey, zone, isDark, unit])
  useEffect(() => plot.current?.update(frame, range), [frame, range.startMs, range.endMs])
  useEffect(() => plot.current?.setMarks(marks, found), [marks, found])
  useEffect(() => plot.current?.setHidden(hidden), [hidden])
  return { place, ...placed }
}
