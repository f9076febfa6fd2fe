/** Fills an element with a plot: uPlot draws the lines, the axes and the cursor. Deliberately not here: marks, and what is done by pointers. */
import type { Signal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { readColor, resolveColor } from '../address/colors.ts'
import type { Range } from '../address/range.ts'
import { formatInUnit } from '../address/unit.ts'
import { useMedia } from '../parts/use-media.ts'
import type { Frame, Pane, Series } from './frame.ts'
import { asideOf, heightOf, rangeOfValues, scaleOf, spreadRange, TIME_PX, TOP_PX, ticksOf, VALUES_PX } from './panes.ts'
import { listenToPointer, type PointerActions } from './pointers.ts'

/** The bin that the pointer is over, on this chart or on another one that is synchronized with it. */
export interface Hover {
  bin: number
  /** The position at which the pointer entered the bin, in pixels from the left edge of the plot. */
  x: number
  isRight: boolean
}

export interface PlotProps extends PointerActions {
  frame: Frame
  range: Range
  zone: string
  hover: Signal<Hover | undefined>
}

interface Latest {
  current: PlotProps
}

/**
 * Creates the plot, updates it, and creates it anew when its zone or the names of its series change.
 * @returns the ref of the element that it fills, and where the values lie in it, in pixels
 */
export function usePlot(props: PlotProps) {
  const { frame, range, zone } = props
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  const [width, setWidth] = useState(0)
  const isDark = useMedia('(prefers-color-scheme: dark)')
  const data = useMemo(() => dataOf(frame), [frame])
  useLayoutEffect(() => {
    const fit = () => setWidth(place.current?.clientWidth ?? 0)
    const sizes = new ResizeObserver(fit)
    if (place.current) sizes.observe(place.current)
    fit()
    return () => sizes.disconnect()
  }, [])
  useLayoutEffect(() => {
    if (!place.current || width === 0) return
    const made = createPlot(place.current, data, latest)
    plot.current = made
    return () => {
      made.destroy()
      plot.current = undefined
    }
  }, [frame.series.map(({ label }) => label).join('\n'), zone, isDark, width === 0])
  useLayoutEffect(() => {
    const drawn = plot.current
    drawn?.batch(() => {
      if (drawn.data !== data) drawn.setData(data, false)
      drawn.setScale('x', { min: range.startMs, max: range.endMs })
      if (drawn.width !== width) drawn.setSize({ width, height: heightOf(frame, width) })
    })
  }, [data, range.startMs, range.endMs, width])
  const left = asideOf(frame, width)
  return { place, left, valuesWidth: Math.max(0, width - left - VALUES_PX), width }
}

/** The pointers of all charts move together. */
const SYNC_KEY = 'time'

/** What it was created with is not kept: the plot lives on, and with an element of its first props the whole page of that time would. */
function createPlot(place: HTMLElement, data: uPlot.AlignedData, latest: Latest): uPlot {
  const { frame, zone, hover } = latest.current
  const width = place.clientWidth
  const options: uPlot.Options = {
    width,
    height: heightOf(frame, width),
    ms: 1,
    padding: [TOP_PX, 0, 0, (plot) => asideOf(latest.current.frame, plot.width)],
    tzDate: (ms) => (zone === '' ? new Date(ms) : uPlot.tzDate(new Date(ms), zone === 'UTC' ? 'Etc/UTC' : zone)),
    legend: { show: false },
    cursor: {
      sync: { key: SYNC_KEY, setSeries: false },
      y: false,
      points: { size: 6 },
      dataIdx: (_plot, _series, nearest, ms) => binAt(latest.current.frame, nearest, ms),
      bind: { dblclick: () => null, mousedown: () => null },
    },
    ...buildScales(latest),
    series: buildSeries(frame),
    hooks: {
      setCursor: [
        ({ cursor: { left = -1, idxs }, over }) => {
          const bin = left < 0 ? undefined : (idxs?.[1] ?? undefined)
          // Nothing changes while the pointer stays within a bin.
          if (bin === hover.peek()?.bin) return
          hover.value = bin === undefined ? undefined : { bin, x: left, isRight: left > over.clientWidth / 2 }
        },
      ],
    },
  }
  const plot = new uPlot(options, data, place)
  listenToPointer(plot, latest)
  return plot
}

function buildScales(latest: Latest): Pick<uPlot.Options, 'scales' | 'axes'> {
  const { frame, range } = latest.current
  const count = frame.panes.length
  const stroke = readColor('--muted')
  const grid = { stroke: readColor('--line'), width: 1 }
  const ticks = { show: false }
  const panes = Array.from({ length: count }, (_, at) => {
    const paneOf = (): Pane | undefined => latest.current.frame.panes[at]
    const factor = () => paneOf()?.factor ?? 1
    const unit = () => paneOf()?.unit ?? 'none'
    // The scale reaches over the other panes, and only these values are in its own. Without values its numbers mean nothing.
    let ticksIn: () => number[] = () => []
    const scale: uPlot.Scale = {
      range: (plot, min, max) => {
        const [low, high] = rangeOfValues(min, max)
        ticksIn = () => (min === null ? [] : ticksOf([low * factor(), high * factor()], at, count, unit()))
        return spreadRange([low, high], at, count, plot.width)
      },
    }
    const axis: uPlot.Axis = {
      ...{ scale: scaleOf(at), side: 1, stroke, grid, ticks, size: at > 0 ? 0 : VALUES_PX },
      splits: () => ticksIn().map((tick) => tick / factor()),
      // The floor is zero, which needs no word.
      values: (_, splits) => splits.map((value) => (value === 0 ? '' : formatInUnit(value * factor(), unit()))),
    }
    return { scale, axis }
  })
  const time: uPlot.Axis = { stroke, grid: ticks, ticks, size: TIME_PX, space: TIME_SPACE_PX, values: TIME_LABELS }
  return {
    scales: {
      x: { time: true, auto: false, min: range.startMs, max: range.endMs },
      ...Object.fromEntries(panes.map(({ scale }, at) => [scaleOf(at), scale])),
    },
    // Each axis is outside of those before it: all of them are in one place if those without a width come first.
    axes: [time, ...panes.map(({ axis }) => axis).reverse()],
  }
}

/** The least room for a time. */
const TIME_SPACE_PX = 80
/**
 * Labels of the axis of time, from the widest step to the narrowest. Each has the smallest step in ms, the label, and the text that is
 * added when the year, month, day, hour, minute or second differs from that of the label before.
 */
const DAY = '\n{D} {MMM}'
const TIME_LABELS: (string | number | null)[][] = [
  [365 * 86_400_000, '{YYYY}', null, null, null, null, null, null, 1],
  [28 * 86_400_000, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [86_400_000, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  // The button of the range says the year.
  [60_000, '{HH}:{mm}', DAY, null, DAY, null, null, null, 1],
  [1_000, '{HH}:{mm}:{ss}', DAY, null, DAY, null, null, null, 1],
  [1, '{ss}.{fff}', `${DAY} {HH}:{mm}`, null, `${DAY} {HH}:{mm}`, null, '\n{HH}:{mm}', null, 1],
]

/** Lines are stepped, because a bin has one value; those between points are straight. */
function buildSeries(frame: Frame): uPlot.Series[] {
  const steps = uPlot.paths.stepped?.({ align: 1 })
  const drawn = seriesOf(frame).map(
    ({ label, pane, color, points, isDashed, isWorse }): uPlot.Series => ({
      ...{ label, scale: scaleOf(pane), stroke: resolveColor(color), width: isWorse ? 2 : 1.5, points: { show: false } },
      ...(points ? { cap: 'round' } : steps && { paths: steps }),
      ...(isDashed && { dash: points ? [1, 4] : [4, 3] }),
      ...(isWorse && { fill: resolveColor('var(--worse-ground)') }),
    }),
  )
  return [{}, ...drawn]
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
  return series.length > 0 ? series : [{ label: '', color: '', values: times.map(() => null) }]
}

/** @param nearest the index of the nearest start, which may be that of the next bin */
function binAt({ times }: Frame, nearest: number, ms: number): number {
  return Math.max(0, (times[nearest] ?? Number.POSITIVE_INFINITY) > ms ? nearest - 1 : nearest)
}
