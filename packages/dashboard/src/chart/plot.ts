/** A uPlot with annotations on it. Deliberately not here: components, the looks of axes, and the handling of pointers. */
import uPlot from 'uplot'
import { readColor, resolveColor } from '../address/colors.ts'
import type { Range } from '../address/range.ts'
import type { Unit } from '../address/unit.ts'
import { buildAxes, buildPaneAxes, rangeOfValues } from './axes.ts'
import { buttonWidth } from './button-width.ts'
import { drawBars, drawCrowds, drawLines, drawUnfinished, ROWS_PX, unfinishedFrom } from './draw-marks.ts'
import { drawWorse } from './draw-worse.ts'
import { type Found, type FoundGroup, layoutFound } from './found.ts'
import type { Frame, Series } from './frame.ts'
import { layoutMarks, type Mark, type MarkGroup, type MarksLayout } from './marks.ts'
import { asideOf, heightOf, scaleOf, spreadRange } from './panes.ts'
import { createPointers, type Pointers } from './pointers.ts'
import { buildSeries } from './series-paths.ts'

export interface PlotContent {
  frame: Frame
  range: Range
  /** Ascending by start. */
  marks: readonly Mark[]
  /** The marks that a query found, ascending by time. */
  found: readonly Found[]
  /** Labels of series that are not drawn. */
  hidden: ReadonlySet<string>
}

/** The layout of the marks, by which their buttons are placed. */
export interface PlacedMarks {
  groups: readonly MarkGroup[]
  found: readonly FoundGroup[]
  /** The left edge of the plot and the width of its values, and that of all of it, in pixels. */
  left: number
  valuesWidth: number
  width: number
}

/** The bin that the pointer is over, on this chart or on another one that is synchronized with it. */
export interface Hover {
  bin: number
  /** The position at which the pointer entered the bin, in pixels from the left edge of the plot. */
  x: number
  isRight: boolean
}

interface PlotOptions extends PlotContent {
  /** The unit of the values of a frame without panes. */
  unit: Unit
  zone: string
  onRange: (range: Range) => void
  onMark: (span: Range) => void
  onMoment: (ms: number) => void
  onHover: (hover: Hover | undefined) => void
  /** Called whenever the layout of the marks changes. */
  onMarks: (placed: PlacedMarks) => void
}

const WIDTH_PX_MIN = 200
/** The pointers of all charts move together. */
const SYNC_KEY = 'time'

/** A plot in an element, until `destroy` is called. Its colors are those of the moment it is created. */
export class Plot {
  readonly #place: HTMLElement
  readonly #options: PlotOptions
  readonly #colors = new Map<string, string>()
  readonly #ground = readColor('--surface')
  readonly #pointers: Pointers
  readonly #plot: uPlot
  readonly #sizes = new ResizeObserver(() => this.#fit())
  /** The highest value that fits into each pane, whose scale reaches over the other panes. */
  readonly #tops = new Map<number, number>()
  #content: PlotContent
  #layout: MarksLayout = { groups: [], bars: [], lines: [], crowds: [] }

  constructor(place: HTMLElement, options: PlotOptions) {
    this.#place = place
    this.#options = options
    this.#content = options
    const acts = { range: () => this.#content.range, slide: (to: Range) => this.#slide(to) }
    this.#pointers = createPointers({ ...options, ...acts })
    this.#plot = new uPlot(this.#buildOptions(), dataOf(options.frame), place)
    this.#pointers.listen(this.#plot)
    this.#sizes.observe(place)
  }

  /** Shows a new frame or range. */
  update(frame: Frame, range: Range): void {
    this.#plot.batch(() => {
      const isOther = frame !== this.#content.frame
      this.#content = { ...this.#content, frame }
      if (isOther) this.#plot.setData(dataOf(frame), false)
      this.#slide(range)
    })
  }

  setMarks(marks: readonly Mark[], found: readonly Found[]): void {
    this.#content = { ...this.#content, marks, found }
    this.#plot.redraw(false, false)
  }

  /** Shows all series except these. */
  setHidden(hidden: ReadonlySet<string>): void {
    this.#content = { ...this.#content, hidden }
    this.#plot.batch(() => {
      for (const [at, { label }] of this.#content.frame.series.entries()) {
        this.#plot.setSeries(at + 1, { show: !hidden.has(label) })
      }
    })
  }

  destroy(): void {
    this.#pointers.stop()
    this.#sizes.disconnect()
    this.#plot.destroy()
  }

  #buildOptions(): uPlot.Options {
    const { frame, range, zone, unit } = this.#options
    const width = Math.max(WIDTH_PX_MIN, this.#place.clientWidth)
    const { panes } = frame
    const paneOf = (at: number) => this.#content.frame.panes?.[at] ?? { name: '', unit: 'none', figure: '' }
    return {
      width,
      height: heightOf(frame, width),
      ms: 1,
      padding: panes ? [ROWS_PX + 2, 0, 0, (plot) => asideOf(plot.width)] : [ROWS_PX + 2, 20, 0, 0],
      tzDate: (ms) => (zone === '' ? new Date(ms) : uPlot.tzDate(new Date(ms), zone === 'UTC' ? 'Etc/UTC' : zone)),
      legend: { show: false },
      cursor: {
        sync: { key: SYNC_KEY, setSeries: false },
        y: false,
        drag: { x: true, y: false, setScale: false, dist: 4 },
        points: { size: 6 },
        dataIdx: (_plot, _series, nearest, ms) => binAt(this.#content.frame, nearest, ms),
        bind: { dblclick: () => null },
      },
      scales: {
        x: { time: true, auto: false, min: range.startMs, max: range.endMs },
        ...Object.fromEntries((panes ?? [undefined]).map((_, pane) => [scaleOf(pane), this.#scaleOf(pane)])),
      },
      axes: panes ? buildPaneAxes(panes.length, paneOf, (at) => this.#tops.get(at) ?? 1) : buildAxes(unit),
      series: buildSeries(seriesOf(frame)),
      hooks: {
        draw: [(plot) => this.#drawAbove(plot)],
        setSelect: [this.#pointers.setSelect],
        setCursor: [(plot) => this.#tellBin(plot)],
      },
    }
  }

  #scaleOf(pane: number): uPlot.Scale {
    return {
      range: (plot, min, max) => {
        const shown = rangeOfValues(plot, min, max)
        const panes = this.#content.frame.panes?.length
        if (!panes) return shown
        this.#tops.set(pane, shown[1])
        return spreadRange(shown, pane, panes, plot.width)
      },
    }
  }

  readonly #resolve = (declared: string): string => {
    const color = this.#colors.get(declared) ?? resolveColor(declared)
    this.#colors.set(declared, color)
    return color
  }

  #drawAbove(plot: uPlot): void {
    const { frame, range, marks } = this.#content
    const width = plot.bbox.width / devicePixelRatio
    this.#layout = layoutMarks(marks, (ms) => plot.valToPos(ms, 'x'), width, buttonWidth)
    const fromMs = unfinishedFrom(frame, range.endMs)
    if (frame.panes) drawWorse(plot, frame, this.#resolve)
    else if (fromMs !== undefined) drawUnfinished(plot, fromMs, this.#ground)
    drawLines(plot, this.#layout, this.#resolve)
    drawBars(plot, this.#layout, this.#resolve)
    drawCrowds(plot, this.#layout, this.#resolve)
    const found = layoutFound(this.#content.found, (ms) => plot.valToPos(ms, 'x'), width)
    const left = plot.bbox.left / devicePixelRatio
    this.#options.onMarks({ groups: this.#layout.groups, found, left, valuesWidth: width, width: plot.width })
  }

  #tellBin({ cursor: { left = -1, idxs } }: uPlot): void {
    const bin = left < 0 ? undefined : idxs?.[1]
    const width = this.#plot.over.clientWidth
    this.#options.onHover(bin === undefined || bin === null ? undefined : { bin, x: left, isRight: left > width / 2 })
  }

  #slide(range: Range): void {
    this.#content = { ...this.#content, range }
    this.#plot.setScale('x', { min: range.startMs, max: range.endMs })
  }

  #fit(): void {
    const width = this.#place.clientWidth
    if (width > 0 && width !== this.#plot.width) this.#plot.setSize({ width, height: heightOf(this.#content.frame, width) })
  }
}

/** A step ends where the next one starts, so the last bin needs a time after it. uPlot draws through what is undefined. */
function dataOf(frame: Frame): uPlot.AlignedData {
  const { times, stepMs } = frame
  const endMs = (times.at(-1) ?? 0) + stepMs
  return [
    [...times, endMs],
    ...seriesOf(frame).map(({ values, points }) => (points ? [...points] : [...values, values.at(-1) ?? null])),
  ]
}

/** uPlot finds the bin at the pointer by a series, so there is always one. */
function seriesOf({ series, times }: Frame): readonly Series[] {
  return series.length > 0 ? series : [{ label: '', values: times.map(() => null) }]
}

/** @param nearest the index of the nearest start, which may be that of the next bin */
function binAt({ times }: Frame, nearest: number, ms: number): number {
  return Math.max(0, (times[nearest] ?? Number.POSITIVE_INFINITY) > ms ? nearest - 1 : nearest)
}
