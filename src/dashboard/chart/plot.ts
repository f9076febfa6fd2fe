/**
 * uPlot with our marks on it: what is drawn, and what pointers do. Deliberately not here: components, and what a change means.
 */
import uPlot from 'uplot'
import { formatCount } from '../view/format-time.ts'
import { type Range, shiftRange } from '../view/range.ts'
import { readColour, seriesColour } from './colours.ts'
import { drawBands, drawLines } from './draw-marks.ts'
import type { Frame } from './frame.ts'
import { layoutMarks, type Mark, type MarkGroup, type MarksLayout } from './marks.ts'

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
/** Pointers of all charts move together. */
const SYNC_KEY = 'time'
/** After the last turn of a wheel, so long until what it moved to is asked for. */
const WHEEL_MS = 180

export function createPlot(place: HTMLElement, options: PlotOptions): Plot {
  const { utc, onRange, onMark, onHover, onMarks } = options
  let { frame, range, marks } = options
  let layout: MarksLayout = { groups: [], bands: [], lines: [] }
  const colours = Array.from({ length: 8 }, (_, at) => readColour(`--type-${at}`))
  const ink = readColour('--muted')
  const grid = { stroke: readColour('--line'), width: 1 }
  let wantsSpan = false
  // What is dragged on one chart is told to all of them; only that one acts on it.
  let isDragged = false

  const placeMarks = (plot: uPlot) => {
    layout = layoutMarks(marks, (ms) => plot.valToPos(ms, 'x'), plot.bbox.width / devicePixelRatio)
  }
  const plot = new uPlot(
    {
      width: Math.max(200, place.clientWidth),
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
        bind: { dblclick: () => null },
      },
      scales: { x: { time: true, auto: false, min: range.startMs, max: range.endMs }, y: { range: rangeOfValues } },
      axes: [
        { stroke: ink, grid, ticks: grid, values: TIME_LABELS },
        { stroke: ink, grid, ticks: grid, size: 56, values: (_, values) => values.map(formatCount) },
      ],
      series: [{}, ...frame.series.map((series, at) => seriesOptions(series.label, at, frame.series.length))],
      hooks: {
        drawClear: [
          (drawn) => {
            placeMarks(drawn)
            drawBands(drawn, layout, colours)
          },
        ],
        draw: [
          (drawn) => {
            drawLines(drawn, layout, colours)
            onMarks(layout.groups, drawn.bbox.left / devicePixelRatio)
          },
        ],
        setSelect: [
          (drawn) => {
            const { left, width } = drawn.select
            if (!isDragged || width < 4) return
            isDragged = false
            const span = { startMs: Math.round(drawn.posToVal(left, 'x')), endMs: Math.round(drawn.posToVal(left + width, 'x')) }
            drawn.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
            if (wantsSpan) onMark(span)
            else if (span.endMs - span.startMs >= 2) onRange(span)
          },
        ],
        setCursor: [
          (drawn) =>
            onHover(drawn.cursor.left === undefined || drawn.cursor.left < 0 ? undefined : (drawn.cursor.idx ?? undefined)),
        ],
      },
    },
    dataOf(frame),
    place,
  )
  plot.over.addEventListener('mousedown', (event) => {
    isDragged = true
    wantsSpan = event.shiftKey
  })
  plot.over.addEventListener('click', (event) => {
    if (!event.ctrlKey && !event.metaKey) return
    const ms = Math.round(plot.posToVal(event.offsetX, 'x'))
    onMark({ startMs: ms, endMs: ms })
  })

  let moved: ReturnType<typeof setTimeout> | undefined
  plot.over.addEventListener(
    'wheel',
    (event) => {
      const turned = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX
      if (turned === 0 || Math.abs(turned) < Math.abs(event.deltaY)) return
      event.preventDefault()
      // What is there moves at once; what comes into view is asked for when the wheel rests.
      range = shiftRange(range, turned / plot.over.clientWidth)
      plot.setScale('x', { min: range.startMs, max: range.endMs })
      clearTimeout(moved)
      moved = setTimeout(() => onRange(range), WHEEL_MS)
    },
    { passive: false },
  )

  const sizes = new ResizeObserver(() => {
    if (place.clientWidth > 0 && place.clientWidth !== plot.width) plot.setSize({ width: place.clientWidth, height: HEIGHT_PX })
  })
  sizes.observe(place)
  return {
    show(nextFrame, nextRange) {
      range = nextRange
      if (nextFrame !== frame) {
        frame = nextFrame
        plot.batch(() => {
          plot.setData(dataOf(frame), false)
          plot.setScale('x', { min: range.startMs, max: range.endMs })
        })
      } else plot.setScale('x', { min: range.startMs, max: range.endMs })
    },
    mark(nextMarks) {
      marks = nextMarks
      plot.redraw(false, false)
    },
    destroy() {
      clearTimeout(moved)
      sizes.disconnect()
      plot.destroy()
    },
  }
}

function dataOf({ times, series }: Frame): uPlot.AlignedData {
  return [times, ...series.map(({ values }) => values)]
}

/** From zero, so that heights can be compared, unless there is less than nothing. */
function rangeOfValues(_plot: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  const low = Math.min(0, min ?? 0)
  const high = Math.max(low, max ?? 0)
  return [low * 1.1, high === low ? low + 1 : high * 1.1]
}

function seriesOptions(label: string, at: number, count: number): uPlot.Series {
  const stroke = seriesColour(at)
  const stepped = uPlot.paths.stepped?.({ align: 1 })
  return {
    label,
    stroke,
    width: 1.5,
    points: { show: false },
    ...(stepped && { paths: stepped }),
    ...(count === 1 && { fill: stroke.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.18)') }),
  }
}

/** Times on the axis: 24 hours, and the date where it changes. */
const YEAR = '\n{YYYY}'
const DAY = '\n{D} {MMM}'
const TIME_LABELS: (string | number | null)[][] = [
  [365 * 86_400_000, '{YYYY}', null, null, null, null, null, null, 1],
  [28 * 86_400_000, '{MMM}', YEAR, null, null, null, null, null, 1],
  [86_400_000, '{D} {MMM}', YEAR, null, null, null, null, null, 1],
  [60_000, '{HH}:{mm}', `${DAY} {YYYY}`, null, DAY, null, null, null, 1],
  [1_000, '{HH}:{mm}:{ss}', `${DAY} {YYYY}`, null, DAY, null, null, null, 1],
  [1, '{ss}.{fff}', `${DAY} {YYYY} {HH}:{mm}`, null, `${DAY} {HH}:{mm}`, null, '\n{HH}:{mm}', null, 1],
]
