/** A uPlot with annotations on it. Deliberately not here: components, the looks of axes, and the handling of pointers. */
import uPlot from 'uplot'
import type { Range } from '../address/range.ts'
import { colorOf, readColor, resolveColor, seriesColor } from '../address/type-colors.ts'
import { buildAxes, rangeOfLogValues, rangeOfValues } from './axes.ts'
import { buttonWidth } from './button-width.ts'
import { drawBands, drawBars, drawCrowds, drawHeat, drawLines, drawUnfinished, ROWS_PX, unfinishedFrom } from './draw-marks.ts'
import { type Found, type FoundGroup, layoutFound } from './found.ts'
import type { Frame, Series } from './frame.ts'
import { lowestAboveZero, rangeOfHeat } from './heat.ts'
import { layoutMarks, type Mark, type MarkGroup, type MarksLayout, WORSE } from './marks.ts'
import { heightOf, scaleOf, spreadRange } from './panes.ts'
import { createPointers, type Pointers } from './pointers.ts'
import { buildSeries } from './series-paths.ts'
import { type Stack, stackSeries } from './stack.ts'
import { type ChartStyle, isLogDrawn, isStacked } from './style.ts'

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
  /** The left edge of the plot, in pixels. */
  left: number
}

/** The bin that the pointer is over, on this chart or on another one that is synchronized with it. */
export interface Hover {
  bin: number
  /** The position at which the pointer entered the bin, in pixels from the left edge of the plot. */
  x: number
  isRight: boolean
}

interface PlotOptions extends PlotContent {
  style: ChartStyle
  zone: string
  onRange: (range: Range) => void
  onMark: (span: Range) => void
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
  readonly #heatColor = resolveColor(seriesColor(0))
  readonly #pointers: Pointers
  readonly #plot: uPlot
  readonly #sizes = new ResizeObserver(() => this.#fit())
  /** What each pane shows of its scale, which reaches over the other panes. */
  readonly #shown = new Map<string, readonly [number, number]>()
  #content: PlotContent
  /** The positions of stacked series; `undefined` if they are not stacked. */
  #stack: Stack | undefined
  #layout: MarksLayout = { groups: [], bands: [], bars: [], lines: [], crowds: [] }

  constructor(place: HTMLElement, options: PlotOptions) {
    this.#place = place
    this.#options = options
    this.#content = options
    const { onRange, onMark } = options
    this.#pointers = createPointers({ range: () => this.#content.range, slide: (to) => this.#slide(to), onRange, onMark })
    this.#stack = this.#stackNow()
    this.#plot = new uPlot(this.#buildOptions(), dataOf(options.frame, this.#stack), place)
    this.#pointers.listen(this.#plot)
    this.#sizes.observe(place)
  }

  /** Shows a new frame or range. */
  update(frame: Frame, range: Range): void {
    this.#plot.batch(() => {
      const isOther = frame !== this.#content.frame
      this.#content = { ...this.#content, frame }
      if (isOther) this.#setData()
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
      // The other series of a stack close the gap.
      if (this.#stack) {
        this.#setData()
        this.#slide(this.#content.range)
      }
    })
  }

  /** Draws the marks in the current colors. */
  recolor(): void {
    this.#colors.clear()
    this.#plot.redraw(false, false)
  }

  destroy(): void {
    this.#pointers.stop()
    this.#sizes.disconnect()
    this.#plot.destroy()
  }

  #setData(): void {
    this.#stack = this.#stackNow()
    this.#plot.setData(dataOf(this.#content.frame, this.#stack), false)
  }

  #stackNow(): Stack | undefined {
    const { frame, hidden } = this.#content
    return isStacked(this.#options.style, frame) ? stackSeries(frame.series, hidden) : undefined
  }

  #buildOptions(): uPlot.Options {
    const { frame, range, zone, style } = this.#options
    return {
      width: Math.max(WIDTH_PX_MIN, this.#place.clientWidth),
      height: heightOf(frame),
      ms: 1,
      padding: [ROWS_PX + 2, 20, 0, 0],
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
        ...Object.fromEntries((frame.panes ?? [undefined]).map((_, pane) => [scaleOf(pane), this.#scaleOf(pane)])),
      },
      axes: buildAxes(frame.panes ?? [style], isLogDrawn(style, frame), frame.panes && ((scale) => this.#shownOf(scale))),
      series: buildSeries(
        { ...frame, series: [...seriesOf(frame)] },
        style,
        () => this.#stack,
        (scale) => this.#floorOf(scale),
      ),
      hooks: {
        drawClear: [(plot) => this.#drawBeneath(plot)],
        draw: [(plot) => this.#drawAbove(plot)],
        setSelect: [this.#pointers.setSelect],
        setCursor: [(plot) => this.#tellBin(plot)],
      },
    }
  }

  #drawBeneath(plot: uPlot): void {
    const width = plot.bbox.width / devicePixelRatio
    this.#layout = layoutMarks(this.#content.marks, (ms) => plot.valToPos(ms, 'x'), width, buttonWidth)
    drawBands(plot, this.#layout, this.#colorOf)
    drawHeat(plot, this.#content.frame, this.#heatColor)
  }

  #scaleOf(pane: number): uPlot.Scale {
    const { style, frame } = this.#options
    const isLog = isLogDrawn(style, frame)
    return {
      distr: isLog ? 3 : 1,
      range: (plot, min, max) => {
        const shown = this.#rangeOfY(plot, min, max)
        const panes = this.#content.frame.panes?.length
        if (!panes) return shown
        const own = shown.map((value) => value ?? 0) as [number, number]
        this.#shown.set(scaleOf(pane), own)
        return spreadRange(own, pane, panes, isLog)
      },
    }
  }

  #shownOf(scale: string): readonly [number, number] {
    return this.#shown.get(scale) ?? [0, 1]
  }

  #floorOf(scale: string): number {
    return this.#shown.get(scale)?.[0] ?? this.#plot.scales[scale]?.min ?? 0
  }

  #rangeOfY(plot: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
    const { frame } = this.#content
    const { heat } = frame
    const isLog = isLogDrawn(this.#options.style, frame)
    if (heat && isLog) return rangeOfLogValues(plot, lowestAboveZero(heat), heat.high)
    if (heat) return rangeOfHeat(heat)
    return isLog ? rangeOfLogValues(plot, min, max) : rangeOfValues(plot, min, max)
  }

  readonly #colorOf = (type: string): string => {
    const color = this.#colors.get(type) ?? resolveColor(type === WORSE ? 'var(--bad)' : colorOf(type))
    this.#colors.set(type, color)
    return color
  }

  #drawAbove(plot: uPlot): void {
    const { frame, range } = this.#content
    const fromMs = unfinishedFrom(frame, range.endMs)
    if (fromMs !== undefined) drawUnfinished(plot, fromMs, this.#ground)
    drawLines(plot, this.#layout, this.#colorOf)
    drawBars(plot, this.#layout, this.#colorOf)
    drawCrowds(plot, this.#layout, this.#colorOf)
    const width = plot.bbox.width / devicePixelRatio
    const found = layoutFound(this.#content.found, (ms) => plot.valToPos(ms, 'x'), width)
    this.#options.onMarks({ groups: this.#layout.groups, found, left: plot.bbox.left / devicePixelRatio })
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
    if (width > 0 && width !== this.#plot.width) this.#plot.setSize({ width, height: heightOf(this.#content.frame) })
  }
}

/** A step ends where the next one starts, so the last bin needs a time after it. */
function dataOf(frame: Frame, stack: Stack | undefined): uPlot.AlignedData {
  const { times, stepMs } = frame
  const endMs = (times.at(-1) ?? 0) + stepMs
  const drawn = stack?.uppers ?? seriesOf(frame).map(({ values }) => values)
  return [[...times, endMs], ...drawn.map((values) => [...values, values.at(-1) ?? null])]
}

/** uPlot finds the bin at the pointer by a series, so there is always one. */
function seriesOf({ series, times }: Frame): readonly Series[] {
  return series.length > 0 ? series : [{ label: '', values: times.map(() => null) }]
}

/** @param nearest the index of the nearest start, which may be that of the next bin */
function binAt({ times }: Frame, nearest: number, ms: number): number {
  return Math.max(0, (times[nearest] ?? Number.POSITIVE_INFINITY) > ms ? nearest - 1 : nearest)
}
