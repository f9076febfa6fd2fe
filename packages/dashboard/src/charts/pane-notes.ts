/** What releases did to the panes of a dataset's chart: what hurts comes first, with what it was before; what is over is said where it was. Pure. */
import { listHurt } from '@deployment-annotations/compare/healed'
import { formatValue, partsOf } from '@deployment-annotations/compare/words'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { titleOf } from '../annotations/annotation-view.ts'
import type { Frame, Pane, Series } from '../chart/frame.ts'
import { pickHarmful } from './harm.ts'

type Judged = ReturnType<typeof listHurt>[number]

/** @param annotations those on the chart of the dataset */
export function withNotes(frame: Frame, dataset: string, annotations: readonly Annotation[]): Frame {
  const harmful = pickHarmful(annotations)
  const panes = frame.panes.map((pane, at) => {
    const found = harmful.flatMap((release) => {
      const one = listHurt(release).find((series) => isShownIn(pane, dataset, series))
      return one ? [{ release, one }] : []
    })
    // Only the judge says that it is over; what was rolled back without a verdict no longer hurts and may not be over.
    const hurting = found.find(({ release }) => release.hurtsNow)
    const over = found.find(({ release }) => release.verdictDetails?.overAt !== undefined)
    if (hurting) return { ...pane, ...describeHurt(frame, at, hurting.one, Date.parse(hurting.release.time)) }
    return over ? { ...pane, note: { text: describeOver(over.one, over.release), ms: Date.parse(over.release.time) } } : pane
  })
  const noted = { ...frame, panes }
  return withHurtFirst({ ...noted, series: frame.series.flatMap((one) => [one, ...worseOf(one, noted)]) })
}

/** A comparison names its series after their dataset and metric. */
function isShownIn(pane: Pane, dataset: string, { name }: Judged): boolean {
  const parts = partsOf(name)
  return parts.dataset === dataset && parts.metric === pane.name.toLowerCase()
}

/** A figure of bins that are all of before the release says nothing of what hurts; then it is that of the judge. */
function describeHurt({ series, times }: Frame, pane: number, one: Judged, sinceMs: number): Pick<Pane, 'hurt'> & Partial<Pane> {
  const points = series.find((own) => own.pane === pane && !own.isDashed)?.points ?? []
  const isDrawn = firstAfter(points, times, sinceMs) >= 0
  return { hurt: { sinceMs, was: formatValue(one.before, one) }, ...(!isDrawn && { figure: formatValue(one.after, one) }) }
}

/** @returns such as `2.14.0: 145 ms, over` */
function describeOver(one: Judged, release: Annotation): string {
  return `${release.version ?? titleOf(release)}: ${one.verdict === 'gone' ? 'nothing' : formatValue(one.after, one)}, over`
}

function withHurtFirst(frame: Frame): Frame {
  const { panes } = frame
  const order = [...panes.keys()].sort((one, other) => Number(!panes[one]?.hurt) - Number(!panes[other]?.hurt))
  const series = frame.series.map((one) => ({ ...one, pane: order.indexOf(one.pane ?? 0) })).sort((a, b) => a.pane - b.pane)
  return { ...frame, panes: order.flatMap((at) => panes[at] ?? []), series }
}

/** @returns the part of a series after the moment since which it hurts, with the line that leads there */
function worseOf(one: Series, { panes, times }: Frame): Series[] {
  const { pane = 0, points = [], label, isDashed } = one
  const sinceMs = panes[pane]?.hurt?.sinceMs
  const first = sinceMs === undefined || isDashed ? -1 : firstAfter(points, times, sinceMs)
  if (first === -1) return []
  const start = points.findLastIndex((value, at) => value !== undefined && at < first)
  const worse = points.map((value, at) => (at < start ? undefined : value))
  return [{ ...one, label: `${label}, worse`, points: worse, color: 'var(--bad)', isWorse: true }]
}

/** @returns the index of the first point after a moment; -1 without any */
function firstAfter(points: readonly (number | undefined)[], times: readonly number[], ms: number): number {
  return points.findIndex((value, at) => value !== undefined && (times[at] ?? Number.POSITIVE_INFINITY) > ms)
}
