/** A release: the verdict in one sentence, what changed, other annotations nearby, the duration, the creator and links. */

import { isChanged } from '@deployment-annotations/compare/words'
import type { Release } from '@deployment-annotations/contract/release'
import { describeDuration, formatClock } from '../address/format-time.ts'
import { view } from '../address/navigation.ts'
import { describeOpen, titleOf, viewAround } from '../annotations/annotation-view.ts'
import { makerOf } from '../annotations/made-by.ts'
import { Markdown, SafeLink } from '../annotations/markdown.tsx'
import { resultOf } from '../annotations/result.ts'
import { ResultSign } from '../annotations/result-sign.tsx'
import { headlineOf, roundDuration, signOf, toneOf } from '../annotations/verdict.ts'
import { VerdictTable } from '../annotations/verdict-table.tsx'
import { Moment } from '../parts/moment.tsx'
import { ViewLink } from '../parts/view-link.tsx'
import type { Makers } from '../service/makers.ts'

interface ReleaseCardProps {
  release: Release
  /** The titles of releases by their ids. */
  titles: ReadonlyMap<string, string>
  makers: Makers | undefined
  nowMs: number
  /** Of a rollback: the releases that it undid, which are shown with it. */
  undone?: readonly Release[]
}

export function ReleaseCard({ release, titles, makers, nowMs, undone = [] }: ReleaseCardProps) {
  const { annotation, environment, isRollback } = release
  const { time, endTime, verdictDetails, description, open, url } = annotation
  const tone = release.isHarmful ? 'bad' : toneOf(annotation)
  const facts = [
    environment,
    open ? describeOpen(annotation, nowMs) : endTime && `took ${describeDuration(Date.parse(endTime) - Date.parse(time))}`,
    makers && makerOf(annotation, makers),
  ].filter(Boolean)
  return (
    <article class={`card release is-${tone}`} aria-label={titleOf(annotation)}>
      <h3 class="clip">
        {isRollback && <span title="rollback">↶ </span>}
        {titleOf(annotation)}
      </h3>
      <span class="hint release-time">
        <Moment time={time}>{formatClock(time, view.value.zone, nowMs)}</Moment>, {roundDuration(nowMs - Date.parse(time))} ago
      </span>
      <p class="release-verdict">
        <span aria-hidden="true">{signOf(annotation)}</span> {headlineOf(annotation, nowMs)}
      </p>
      <Story release={release} titles={titles} />
      <div class="release-foot">
        <p class="hint release-facts">
          {resultOf(annotation) && (
            <span>
              <ResultSign annotation={annotation} />
              pipeline
            </span>
          )}
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          <ViewLink to={viewAround(annotation, view.value)}>On the charts</ViewLink>
          {url !== undefined && <SafeLink url={url}>Job</SafeLink>}
        </p>
        {verdictDetails && (
          <details open={verdictDetails.series.some((one) => isChanged(one) && one.carriers.length > 0)}>
            <summary>Metrics</summary>
            <VerdictTable details={verdictDetails} />
          </details>
        )}
        {description !== undefined && (
          <details>
            <summary>Description</summary>
            <Markdown text={description} />
          </details>
        )}
      </div>
      {undone.map((one) => (
        <ReleaseCard key={one.annotation.id} release={one} titles={titles} makers={makers} nowMs={nowMs} />
      ))}
    </article>
  )
}

/** The headline of what hurt says how it ended. */
function Story({
  release: { annotation, rollbackOf, rolledBackBy, restoreMs },
  titles,
}: Pick<ReleaseCardProps, 'release' | 'titles'>) {
  const name = (id: string) => titles.get(id) ?? 'an earlier release'
  if (rolledBackBy !== undefined && toneOf(annotation) !== 'bad')
    return (
      <p class="release-story">
        Rolled back by {name(rolledBackBy)} after {roundDuration(restoreMs ?? 0)}.
      </p>
    )
  return rollbackOf === undefined ? null : (
    <p class="release-story">
      Rolled back {name(rollbackOf)}
      {titles.has(rollbackOf) ? ':' : '.'}
    </p>
  )
}
