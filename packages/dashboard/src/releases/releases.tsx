/** The page of releases: how well delivery goes, and what each release did. */
import './releases.css'
import { PRODUCTION } from '@deployment-annotations/compare/environments'
import type { Releases } from '@deployment-annotations/contract/release'
import type { ComponentChildren } from 'preact'
import { navigate, view } from '../address/navigation.ts'
import { ANYWHERE, toggle, type View } from '../address/view.ts'
import { startOf } from '../annotations/list-annotations.ts'
import { Share } from '../annotations/share.tsx'
import { useMakers } from '../annotations/use-makers.ts'
import { Failure } from '../parts/failure.tsx'
import { PickMenu } from '../parts/pick-menu.tsx'
import { Search } from '../parts/search.tsx'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { compareNames } from '../query/name.ts'
import { nameRange } from '../range/range-menu.tsx'
import { listReleases } from '../service/releases.ts'
import { DeliveryMetrics } from './delivery.tsx'
import { ReleaseTable } from './release-table.tsx'
import { findRows, KINDS, listRows, ORDERS, orderByHarm, pickRows, type Row } from './rows.ts'

const SINCE = ['now-7d', 'now-30d', 'now-90d'].map((start) => [start, nameRange(start) ?? start] as const)
const SINCE_DEFAULT = 'now-30d'
/** More environments than these are found by their names. */
const ENVIRONMENTS_MAX = 4
/** A verdict comes ten minutes after a release; nobody should have to reload the page for it. */
const REFRESH_MS = 30_000

const change = (to: Partial<View>) => navigate(to, true)

export function ReleasesPage() {
  const { service, text, types } = view.value
  const since = view.value.since || SINCE_DEFAULT
  const environment = environmentOf(view.value)
  const [version, refresh] = useRefresh(REFRESH_MS)
  const { data, error, isLoading } = useLoad(
    (signal) =>
      listReleases({ start: startOf(since), service, environment: environment === ANYWHERE ? '' : environment }, signal),
    [since, service, environment, version],
    `${since} ${service} ${environment}`,
  )
  const { makers } = useMakers()
  const nowMs = Date.now()
  const rows = listRows(data?.releases ?? [], makers, nowMs)
  const found = findRows(pickRows(rows, types), text)
  return (
    <div class="releases" aria-busy={isLoading}>
      <Toolbar since={since} data={data} />
      <Failure error={error} onRetry={refresh} />
      {!data && isLoading && <p class="hint">Loading…</p>}
      {data && (
        <>
          <DeliveryMetrics {...data} />
          <Filters data={data} rows={rows} found={found} />
          {found.length > 0 && <ReleaseTable rows={orderOf(view.value) === 'harm' ? orderByHarm(found) : found} nowMs={nowMs} />}
          {data.delivery.length === 0 && (
            <p class="hint">
              No releases yet. An annotation is a release if its type contains the word “deploy” or “release”. Ten minutes after a
              release its verdict appears here.
            </p>
          )}
        </>
      )}
      {data?.notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
    </div>
  )
}

const environmentOf = ({ environment }: View) => environment || PRODUCTION
/** Who asks for what hurt asks which of them hurt most. */
const orderOf = ({ sort, types }: View) => sort[0] ?? (types.includes('hurt') ? 'harm' : 'newest')
const namesIn = (data: Releases | undefined, of: 'service' | 'environment') =>
  [...new Set(data?.delivery.map((one) => one[of]))].sort(compareNames)

function Toolbar({ since, data }: { since: string; data: Releases | undefined }) {
  const services = namesIn(data, 'service').map((name) => [name, name] as const)
  const days = /^now-(\d+)d$/.exec(since)?.[1]
  return (
    <div class="row">
      <h1>Releases</h1>
      <p class="hint push">
        <span class="line-key" /> {days ? `these ${days} days` : 'this time'} <span class="line-key is-earlier" />{' '}
        {days ?? 'the time'} before
      </p>
      <PickMenu
        name="Service"
        value={view.value.service}
        options={[['', 'All services'], ...services]}
        onPick={(service) => change({ service })}
      />
      <PickMenu name="From" value={since} options={SINCE} onPick={(to) => change({ since: to })} />
      <Share range={undefined} datasets={[]} annotations={data?.releases.map(({ annotation }) => annotation) ?? []} />
    </div>
  )
}

interface FiltersProps {
  data: Releases
  rows: readonly Row[]
  found: readonly Row[]
}

function Filters({ data, rows, found }: FiltersProps) {
  const { types, text } = view.value
  const environment = environmentOf(view.value)
  const environments = new Set([PRODUCTION, environment, ...namesIn(data, 'environment')])
  environments.delete(ANYWHERE)
  return (
    <search class="row">
      {KINDS.map(([name, words, is]) => (
        <Chip key={name} isPressed={types.includes(name)} to={{ types: toggle(types, name), sort: [] }}>
          {words} <span class="hint">{rows.filter(({ release }) => is(release)).length}</span>
        </Chip>
      ))}
      {[...environments].slice(0, ENVIRONMENTS_MAX).map((name) => (
        <Chip key={name} isPressed={environment === name} to={{ environment: environment === name ? ANYWHERE : name }}>
          {name}
        </Chip>
      ))}
      <span class="hint" role="status">
        {found.length < rows.length && `${found.length} of `}
        {data.count} {data.count === 1 ? 'release' : 'releases'}
      </span>
      <span class="push">
        <Search name="Find" placeholder="Find a release, person or word" value={text} onText={(to) => change({ text: to })} />
      </span>
      <PickMenu name="Order" value={orderOf(view.value)} options={ORDERS} onPick={(to) => change({ sort: [to] })} />
    </search>
  )
}

interface ChipProps {
  isPressed: boolean
  to: Partial<View>
  children: ComponentChildren
}

function Chip({ isPressed, to, children }: ChipProps) {
  return (
    <button type="button" class="pick-chip" aria-pressed={isPressed} onClick={() => change(to)}>
      {children}
    </button>
  )
}
