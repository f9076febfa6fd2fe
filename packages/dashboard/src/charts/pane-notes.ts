/** What releases did to the panes of a dataset's chart: what hurts comes first, with what it was before; what is over is said where it was. Pure. */
import { isLive } from '@deployment-annotations/compare/environments'
import { listHurt } from '@deployment-annotations/compare/healed'
import { formatValue } from '@deployment-annotations/compare/words'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { isWorse } from '@deployment-annotations/contract/verdict'
import { titleOf } from '../annotations/annotation-view.ts'
import type { Frame, Pane } from '../chart/frame.ts'

type Judged = ReturnType<typeof listHurt>[number]

/** @param annotations those on the chart of the dataset */
export function withNotes(frame: Frame, dataset: string, annotations: readonly Annotation[]): Frame {
  if (!frame.panes) return frame
  const harmful = annotations
    .filter((one) => isWorse(one.verdict) && isLive(one))
    .sort((one, other) => Date.parse(other.time) - Date.parse(one.time))
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
  return withHurtFirst({ ...frame, panes })
}

/** A comparison names its series after their dataset. */
function isShownIn({ name: pane }: Pane, dataset: string, { name, kind }: Judged): boolean {
  if (!name.startsWith(`${dataset} `)) return false
  if (name === `${dataset} errors`) return pane === 'Errors'
  return pane === { count: 'Traffic', share: 'Errors', measurement: name.slice(-3) }[kind]
}

/** A figure of bins that are all of before the release says nothing of what hurts; then it is that of the judge. */
function describeHurt({ series, times }: Frame, pane: number, one: Judged, sinceMs: number): Pick<Pane, 'hurt'> & Partial<Pane> {
  const points = series.find((own) => own.pane === pane && own.earlierOf === undefined)?.points ?? []
  const isDrawn = points.some((value, at) => value !== undefined && (times[at] ?? Number.POSITIVE_INFINITY) > sinceMs)
  return { hurt: { sinceMs, was: formatValue(one.before, one) }, ...(!isDrawn && { figure: formatValue(one.after, one) }) }
}

/** @returns such as `2.14.0: 145 ms, over` */
function describeOver(one: Judged, release: Annotation): string {
  return `${release.version ?? titleOf(release)}: ${one.verdict === 'gone' ? 'nothing' : formatValue(one.after, one)}, over`
}

function withHurtFirst(frame: Frame): Frame {
  const panes = frame.panes ?? []
  const order = [...panes.keys()].sort((one, other) => Number(!panes[one]?.hurt) - Number(!panes[other]?.hurt))
  const series = frame.series.map((one) => ({ ...one, pane: order.indexOf(one.pane ?? 0) })).sort((a, b) => a.pane - b.pane)
  const placeOf = (label: string) => series.findIndex((one) => one.label === label)
  return {
    ...frame,
    panes: order.flatMap((at) => panes[at] ?? []),
    series: series.map((one) => {
      const now = one.earlierOf === undefined ? undefined : frame.series[one.earlierOf]
      return now ? { ...one, earlierOf: placeOf(now.label) } : one
    }),
  }
}
