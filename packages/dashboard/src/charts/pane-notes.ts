/** What the last release changed in a pane of a dataset's chart, beside its figure: `▲ ×2.1 after 2.15.0`. Pure. */
import { isLive } from '@deployment-annotations/compare/environments'
import { formatChange } from '@deployment-annotations/compare/words'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { isWorse } from '@deployment-annotations/contract/verdict'
import { titleOf } from '../annotations/annotation-view.ts'
import { toneOf } from '../annotations/verdict.ts'
import type { Frame, Pane } from '../chart/frame.ts'

type Judged = NonNullable<Annotation['verdictDetails']>['series'][number]

/** @param annotations those on the chart of the dataset */
export function withNotes(frame: Frame, dataset: string, annotations: readonly Annotation[]): Frame {
  if (!frame.panes) return frame
  const newestFirst = annotations
    .filter((one) => one.verdictDetails !== undefined && isLive(one))
    .sort((one, other) => Date.parse(other.time) - Date.parse(one.time))
  const release = newestFirst.find((one) => one.hurtsNow) ?? newestFirst.find((one) => toneOf(one) !== 'unknown')
  if (!release?.verdictDetails) return frame
  const { series } = release.verdictDetails
  const panes = frame.panes.map((pane) => {
    const changed = series.find((one) => isShownIn(pane, dataset, one) && isTold(one))
    return changed ? { ...pane, note: noteOf(changed, release) } : pane
  })
  return { ...frame, panes }
}

function isTold({ verdict }: Judged): boolean {
  return isWorse(verdict) || verdict === 'lower' || verdict === 'higher'
}

/** A comparison names its series after their dataset. */
function isShownIn({ name: pane }: Pane, dataset: string, { name, kind }: Judged): boolean {
  if (!name.startsWith(`${dataset} `)) return false
  if (name === `${dataset} errors`) return pane === 'Errors'
  return pane === { count: 'Traffic', share: 'Errors', measurement: name.slice(-3) }[kind]
}

/** It says what came after the release, as it was judged, and only of what is healed how it is now. */
function noteOf({ verdict, change }: Judged, release: Annotation): Pane['note'] {
  const isBad = isWorse(verdict)
  const what = `${isBad ? '▲' : '◆'} ${verdict === 'gone' ? 'nothing' : formatChange(change ?? Number.NaN)}`
  const isOver = isBad && !release.hurtsNow
  return { text: `${what} after ${release.version ?? titleOf(release)}${isOver ? ', over now' : ''}`, isBad: isBad && !isOver }
}
