/** uPlot with our marks on it. Deliberately not here: components, how axes look, and what pointers do. */
import uPlot from 'uplot'
import { readColour } from '../view/colours.ts'
import type { Range } from '../view/range.ts'
import { buildAxes, buildSeries, rangeOfValues } from './axes.ts'
import { drawBands, drawLines, type TypeColours } from './draw-marks.ts'
import type { Frame } from './frame.ts'
import { layoutMarks, type Mark, type MarkGroup, type MarksLayout } from './marks.ts'
import { createPointers, type Pointers } from './pointers.ts'

/** What a plot shows. */
interface PlotContent {
  frame: Frame
  range: Range
  marks: readonly Mark[]
}

interface PlotOptions extends PlotContent {
  utc: boolean
  onRange: (range: Range) => void
  onMark: (span: Range) => void
  onHover: (bin: number | undefined) => void
  /** Where the buttons of annotations belong, whenever that changes; `left` is the plot's edge. */
  onMarks: (groups: MarkGroup[], left: number) => void
}

const HEIGHT_PX = 180
const WIDTH_PX_MIN = 200
/** Pointers of all charts move together. */
const SYNC_KEY = 'time'

/** A plot in an element of the page, from its creation until `destroy`. Its colours are those of the moment it is made. */
export class Plot {
  readonly #place: HTMLElement
  readonly #options: PlotOptions
  readonly #colours: TypeColours = Array.from({ length: 8 }, (_, at) => readColour(`--type-${at}`))
  readonly #pointers: Pointers
  readonly #plot: uPlot
  readonly #sizes = new ResizeObserver(() => this.#fit())
  #content: PlotContent
  #layout: MarksLayout = { groups: [], bands: [], lines: [] }

  constructor(place: HTMLElement, options: PlotOptions) {
    this.#place = place
    this.#options = options
    this.#content = options
    const { onRange, onMark } = options
    this.#pointers = createPointers({ range: () => this.#content.range, slide: (to) => this.#slide(to), onRange, onMark })
    this.#plot = new uPlot(this.#buildOptions(), dataOf(options.frame), place)
    this.#pointers.listen(this.#plot)
    this.#sizes.observe(place)
  }

  /** Shows other data, or another range. */
  update(frame: Frame, range: Range): void {
    this.#plot.batch(() => {
      if (frame !== this.#content.frame) this.#plot.setData(dataOf(frame), false)
      this.#content = { ...this.#content, frame }
      this.#slide(range)
    })
  }

  setMarks(marks: readonly Mark[]): void {
    this.#content = { ...this.#content, marks }
    this.#plot.redraw(false, false)
  }

  destroy(): void {
    this.#pointers.stop()
    this.#sizes.disconnect()
    this.#plot.destroy()
  }

  #buildOptions(): uPlot.Options {
    const { frame, range, utc } = this.#options
    return {
      width: Math.max(WIDTH_PX_MIN, this.#place.clientWidth),
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
        dataIdx: (_plot, _series, nearest, ms) => binAt(this.#content.frame, nearest, ms),
        bind: { dblclick: () => null },
      },
      scales: { x: { time: true, auto: false, min: range.startMs, max: range.endMs }, y: { range: rangeOfValues } },
      axes: buildAxes(),
      series: buildSeries(frame.series),
      hooks: {
        drawClear: [(plot) => this.#drawBeneath(plot)],
        draw: [(plot) => this.#drawAbove(plot)],
        setSelect: [this.#pointers.setSelect],
        setCursor: [(plot) => this.#tellBin(plot)],
      },
    }
  }

  #drawBeneath(plot: uPlot): void {
    this.#layout = layoutMarks(this.#content.marks, (ms) => plot.valToPos(ms, 'x'), plot.bbox.width / devicePixelRatio)
    drawBands(plot, this.#layout, this.#colours)
  }

  #drawAbove(plot: uPlot): void {
    drawLines(plot, this.#layout, this.#colours)
    this.#options.onMarks(this.#layout.groups, plot.bbox.left / devicePixelRatio)
  }

  #tellBin({ cursor: { left = -1, idxs } }: uPlot): void {
    this.#options.onHover(left < 0 ? undefined : (idxs?.[1] ?? undefined))
  }

  #slide(range: Range): void {
    this.#content = { ...this.#content, range }
    this.#plot.setScale('x', { min: range.startMs, max: range.endMs })
  }

  #fit(): void {
    const width = this.#place.clientWidth
    if (width > 0 && width !== this.#plot.width) this.#plot.setSize({ width, height: HEIGHT_PX })
  }
}

/** A step is drawn from one start to the next, so the last bin needs one after it. */
function dataOf({ times, stepMs, series }: Frame): uPlot.AlignedData {
  const endMs = (times.at(-1) ?? 0) + stepMs
  return [[...times, endMs], ...series.map(({ values }) => [...values, values.at(-1) ?? null])]
}

/** @param nearest the start that is nearest to the time, which may be that of the bin after */
function binAt({ times }: Frame, nearest: number, ms: number): number {
  return Math.max(0, (times[nearest] ?? Number.POSITIVE_INFINITY) > ms ? nearest - 1 : nearest)
}
