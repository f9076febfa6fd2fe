/** uPlot with our marks on it. Deliberately not here: components, how axes look, and what pointers do. */
import uPlot from 'uplot'
import { readColour } from '../view/colours.ts'
import type { Range } from '../view/range.ts'
import { buildAxes, buildSeries, rangeOfValues } from './axes.ts'
import { drawBands, drawLines } from './draw-marks.ts'
import type { Frame } from './frame.ts'
import { layoutMarks, type Mark, type MarkGroup, type MarksLayout } from './marks.ts'
import { createPointers } from './pointers.ts'

export interface PlotOptions {
  frame: Frame
  range: Range
  marks: readonly Mark[]
  utc: boolean
  onRange: (range: Range) => void
  onMark: (span: Range) => void
  onHover: (bin: number | undefined) => void
  /** Where the buttons of annotations belong, whenever that changes; `left` is the plot's edge. */
  onMarks: (groups: MarkGroup[], left: number) => void
}

export interface Plot {
  show(frame: Frame, range: Range): void
  mark(marks: readonly Mark[]): void
  destroy(): void
}

const HEIGHT_PX = 180
const WIDTH_PX_MIN = 200
/** Pointers of all charts move together. */
const SYNC_KEY = 'time'

export function createPlot(place: HTMLElement, options: PlotOptions): Plot {
  const { utc, onRange, onMark, onHover, onMarks } = options
  let { frame, range, marks } = options
  let layout: MarksLayout = { groups: [], bands: [], lines: [] }
  const colours = Array.from({ length: 8 }, (_, at) => readColour(`--type-${at}`))

  const placeMarks = (plot: uPlot) => {
    layout = layoutMarks(marks, (ms) => plot.valToPos(ms, 'x'), plot.bbox.width / devicePixelRatio)
    drawBands(plot, layout, colours)
  }
  const finish = (plot: uPlot) => {
    drawLines(plot, layout, colours)
    onMarks(layout.groups, plot.bbox.left / devicePixelRatio)
  }
  const tellBin = ({ cursor: { left = -1, idxs } }: uPlot) => onHover(left < 0 ? undefined : (idxs?.[1] ?? undefined))
  const slide = (to: Range) => {
    range = to
    plot.setScale('x', { min: to.startMs, max: to.endMs })
  }
  const pointers = createPointers({ range: () => range, slide, onRange, onMark })
  const plot = new uPlot(
    {
      width: Math.max(WIDTH_PX_MIN, place.clientWidth),
      height: HEIGHT_PX,
      ms: 1,
      padding: [4, 20, 0, 0],
      tzDate: (ms) => (utc ? uPlot.tzDate(new Date(ms), 'Etc/UTC') : new Date(ms)),
      legend: { show: false },
      cursor: {
        sync: { key: SYNC_KEY, setSeries: false },
        y: false,
        drag: { x: true, y: false, setScale: false, dist: 4 },
        points: { size: 6 },
        dataIdx: (_plot, _series, nearest, ms) => binAt(frame, nearest, ms),
        bind: { dblclick: () => null },
      },
      scales: { x: { time: true, auto: false, min: range.startMs, max: range.endMs }, y: { range: rangeOfValues } },
      axes: buildAxes(),
      series: buildSeries(frame.series),
      hooks: { drawClear: [placeMarks], draw: [finish], setSelect: [pointers.setSelect], setCursor: [tellBin] },
    },
    dataOf(frame),
    place,
  )
  pointers.listen(plot)
  const sizes = new ResizeObserver(() => {
    if (place.clientWidth > 0 && place.clientWidth !== plot.width) plot.setSize({ width: place.clientWidth, height: HEIGHT_PX })
  })
  sizes.observe(place)
  return {
    show(nextFrame, nextRange) {
      plot.batch(() => {
        if (nextFrame !== frame) plot.setData(dataOf(nextFrame), false)
        frame = nextFrame
        slide(nextRange)
      })
    },
    mark(nextMarks) {
      marks = nextMarks
      plot.redraw(false, false)
    },
    destroy() {
      pointers.stop()
      sizes.disconnect()
      plot.destroy()
    },
  }
}

/** A step is drawn from one begin to the next, so the last bin needs one behind it. */
function dataOf({ times, stepMs, series }: Frame): uPlot.AlignedData {
  const endMs = (times.at(-1) ?? 0) + stepMs
  return [[...times, endMs], ...series.map(({ values }) => [...values, values.at(-1) ?? null])]
}

/** @param nearest the begin that is nearest to the time, which may be that of the bin after */
function binAt({ times }: Frame, nearest: number, ms: number): number {
  return Math.max(0, (times[nearest] ?? Number.POSITIVE_INFINITY) > ms ? nearest - 1 : nearest)
}
