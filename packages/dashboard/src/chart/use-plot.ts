/** A plot for as long as its component is there: made again when what it is made of changes, otherwise told what changed. */
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Range } from '../view/range.ts'
import type { Frame } from './frame.ts'
import type { Mark, MarkGroup } from './marks.ts'
import { Plot } from './plot.ts'
import { useDarkMode } from './use-dark-mode.ts'

export interface PlotProps {
  frame: Frame
  range: Range
  /** Ascending by start. */
  marks: readonly Mark[]
  utc: boolean
  onRange: (range: Range) => void
  /** An annotation of this span is wanted, or of a point in time if both ends are equal. */
  onMark: (span: Range) => void
  /** Which bin the pointer is over. */
  onHover?: (bin: number | undefined) => void
}

interface PlacedPlot {
  /** For the element that the plot fills. */
  place: RefObject<HTMLDivElement | null>
  /** The buttons of annotations. */
  groups: readonly MarkGroup[]
  /** Where the plot starts in the element, in pixels. */
  left: number
}

export function usePlot(props: PlotProps): PlacedPlot {
  const { frame, range, marks, utc } = props
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  const [placed, setPlaced] = useState<Omit<PlacedPlot, 'place'>>({ groups: [], left: 0 })
  const isDark = useDarkMode()
  const seriesKey = frame.series.map(({ label }) => label).join('\n')
  useEffect(() => {
    if (!place.current) return
    const made = new Plot(place.current, {
      frame: latest.current.frame,
      range: latest.current.range,
      marks: latest.current.marks,
      utc,
      onRange: (to) => latest.current.onRange(to),
      onMark: (span) => latest.current.onMark(span),
      onHover: (bin) => latest.current.onHover?.(bin),
      onMarks: (groups, left) => setPlaced({ groups, left }),
    })
    plot.current = made
    return () => {
      made.destroy()
      plot.current = undefined
    }
  }, [seriesKey, utc, isDark])
  useEffect(() => plot.current?.update(frame, range), [frame, range.startMs, range.endMs])
  useEffect(() => plot.current?.setMarks(marks), [marks])
  return { place, ...placed }
}
