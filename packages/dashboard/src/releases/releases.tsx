/** The page of releases: what goes on, each release with its verdict first, and how well delivery goes. */
import './releases.css'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { Delivery, Release } from '@deployment-annotations/contract/release'
import { navigate, view } from '../address/navigation.ts'
import { describeOpen, titleOf, viewAround } from '../annotations/annotation-view.ts'
import { startOf } from '../annotations/list-annotations.ts'
import { useMakers } from '../annotations/use-makers.ts'
import { findWords } from '../annotations/visible.ts'
import { Failure } from '../parts/failure.tsx'
import { Search } from '../parts/search.tsx'
import { lastDays, Select } from '../parts/select.tsx'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { ViewLink } from '../parts/view-link.tsx'
import type { Makers } from '../service/makers.ts'
import { listReleases } from '../service/releases.ts'
import { DeliveryMetrics } from './delivery.tsx'
import { ReleaseCard } from './release-card.tsx'

const SINCE = [lastDays(1), ['', 'last 7 days'] as const, lastDays(30), lastDays(90)]
const SINCE_DEFAULT = 'now-7d'
/** A verdict comes ten minutes after a release; nobody should have to reload the page for it. */
const REFRESH_MS = 30_000

export function ReleasesPage() {
  const { since, service, environment, text } = view.value
  const [version, refresh] = useRefresh(REFRESH_MS)
  const nowMs = Date.now()
  const { data, error, isLoading } = useLoad(
    (signal) => listReleases({ start: startOf(since) ?? startOf(SINCE_DEFAULT), service, environment }, signal),
    [since, service, environment, version],
    `${since} ${service} ${environment}`,
  )
  const { makers } = useMakers(0)
  const found = new Set(findWords(data?.releases.map(({ annotation }) => annotation) ?? [], text))
  const shown = data?.releases.filter(({ annotation }) => found.has(annotation)) ?? []
  return (
    <div class="releases" aria-busy={isLoading}>
      <div class="row">
        <h1>Releases</h1>
        <search class="row push">
          <Search
            name="Only releases with these words"
            placeholder="Find, also version:2.15.0"
            value={text}
            onText={(to) => navigate({ text: to }, true)}
          />
          <Choice name="Service" of="service" delivery={data?.delivery ?? []} picked={service} />
          <Choice name="Environment" of="environment" delivery={data?.delivery ?? []} picked={environment} />
          <Select name="From" value={since} options={SINCE} onPick={(to) => navigate({ since: to }, true)} />
        </search>
      </div>
      <Failure error={error} onRetry={refresh} />
      {!data && isLoading && <p class="hint">Loading…</p>}
      {data && data.open.length > 0 && <GoingOn annotations={data.open} nowMs={nowMs} />}
      {data && shown.length === 0 && <NoReleases isAny={data.delivery.length > 0} />}
      {data && shown.length > 0 && (
        <div class="releases-body">
          <ReleaseList shown={shown} all={data.releases} makers={makers} nowMs={nowMs} />
          <DeliveryMetrics {...data} />
        </div>
      )}
      {data?.notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
    </div>
  )
}

interface ReleaseListProps {
  shown: readonly Release[]
  all: readonly Release[]
  makers: Makers | undefined
  nowMs: number
}

/** A rollback and the releases that it undid are one story. */
function ReleaseList({ shown, all, makers, nowMs }: ReleaseListProps) {
  const titles = new Map(all.map(({ annotation }) => [annotation.id, titleOf(annotation)]))
  const ids = new Set(shown.map(({ annotation }) => annotation.id))
  const isPart = ({ rolledBackBy }: Release) => rolledBackBy !== undefined && ids.has(rolledBackBy)
  return (
    <section class="release-list" aria-label="Releases">
      {shown
        .filter((release) => !isPart(release))
        .map((release) => (
          <ReleaseCard
            key={release.annotation.id}
            {...{ release, titles, makers, nowMs, undone: shown.filter((one) => one.rolledBackBy === release.annotation.id) }}
          />
        ))}
    </section>
  )
}

interface ChoiceProps {
  name: string
  of: 'service' | 'environment'
  delivery: readonly Delivery[]
  picked: string
}

function Choice({ name, of, delivery, picked }: ChoiceProps) {
  const names = [...new Set([...delivery.map((one) => one[of]), picked])].filter((one) => one !== '').sort()
  if (names.length === 0) return null
  const options = [['', `All ${of}s`], ...names.map((one) => [one, one])] as [string, string][]
  return <Select name={name} value={picked} options={options} onPick={(to) => navigate({ [of]: to }, true)} />
}

/** What is not over, such as an incident, comes before all that is. */
function GoingOn({ annotations, nowMs }: { annotations: readonly Annotation[]; nowMs: number }) {
  return (
    <section class="card going-on" aria-label="In progress">
      <h2>In progress</h2>
      <ul>
        {annotations.map((annotation) => (
          <li key={annotation.id}>
            <ViewLink to={viewAround(annotation, view.value)}>{titleOf(annotation)}</ViewLink>{' '}
            <span class="hint">
              {annotation.type}, {annotation.datasets.join(', ')}, {describeOpen(annotation, nowMs)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function NoReleases({ isAny }: { isAny: boolean }) {
  if (isAny) return <p class="hint">No releases match.</p>
  return (
    <p class="hint">
      No releases yet. An annotation is a release if its type contains the word “deploy” or “release”. Ten minutes after a release
      its verdict appears here.
    </p>
  )
}
