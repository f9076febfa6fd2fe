/** The page of monitors: queries that watch for themselves. How each stands, and what can be done to it. */
import './monitors.css'
import type { Monitor, MonitorChange } from '@deployment-annotations/contract/monitor'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Confirm } from '../parts/confirm.tsx'
import { Failure } from '../parts/failure.tsx'
import { useLoad } from '../parts/use-load.ts'
import { useLostFocus } from '../parts/use-lost-focus.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { deleteMonitor, listMonitors } from '../service/monitors.ts'
import { may } from '../session.ts'
import { isDue } from './describe.ts'
import { NoMonitors } from './empty.tsx'
import { MonitorCard } from './monitor-card.tsx'
import { MonitorForm } from './monitor-form.tsx'

const REFRESH_MS = 10_000
/** While a run is due: somebody who made or changed a monitor wants to see what comes of it. */
const REFRESH_SOON_MS = 2_000

/** What is in front of the page. */
type Front = { kind: 'form'; draft: MonitorChange | Monitor } | { kind: 'delete'; monitor: Monitor }

export function Monitors() {
  if (may('monitors|read')) return <AllMonitors />
  return (
    <>
      <h1>Monitors</h1>
      <p class="card">The token that you are signed in with may not see monitors: it lacks the permission monitors|read.</p>
    </>
  )
}

function AllMonitors() {
  const [front, setFront] = useState<Front>()
  const known = useRef<readonly Monitor[] | undefined>(undefined)
  const [version, refresh] = useRefresh(REFRESH_MS)
  const { data, error, isLoading } = useLoad(listMonitors, [version])
  useEffect(() => {
    if (!data?.some((monitor) => isDue(monitor, Date.now()))) return
    const timer = setTimeout(() => document.visibilityState === 'visible' && refresh(), REFRESH_SOON_MS)
    return () => clearTimeout(timer)
  }, [data])
  // A refresh that failed leaves in place what was known before it, below the reason.
  if (data) known.current = data
  const monitors = known.current
  const heading = useLostFocus<HTMLHeadingElement>(monitors?.length ?? 0)
  const close = () => setFront(undefined)
  const closeAndRefresh = () => {
    close()
    refresh()
  }
  const begin = (draft: MonitorChange) => setFront({ kind: 'form', draft })
  return (
    <div class="monitors">
      <div class="row">
        <h1 ref={heading} tabIndex={-1}>
          Monitors
        </h1>
        {may('monitors|create') && (
          <button type="button" class="primary push" onClick={() => begin({})}>
            New monitor
          </button>
        )}
      </div>
      <Failure error={error} onRetry={refresh} />
      {!monitors && isLoading && <p class="hint">Loading…</p>}
      {monitors?.length === 0 && <NoMonitors onBegin={may('monitors|create') ? begin : undefined} />}
      {monitors && monitors.length > 0 && (
        <ul class="monitor-list">
          {monitors.map((monitor) => (
            <MonitorCard
              key={monitor.id}
              monitor={monitor}
              onEdit={() => setFront({ kind: 'form', draft: monitor })}
              onDelete={() => setFront({ kind: 'delete', monitor })}
              onChanged={refresh}
            />
          ))}
        </ul>
      )}
      {front?.kind === 'form' && <MonitorForm draft={front.draft} onClose={close} onSaved={closeAndRefresh} />}
      {front?.kind === 'delete' && <Delete monitor={front.monitor} onClose={close} onDeleted={closeAndRefresh} />}
    </div>
  )
}

function Delete({ monitor: { id, name }, ...on }: { monitor: Monitor; onClose: () => void; onDeleted: () => void }) {
  const task = async () => {
    await deleteMonitor(id)
    on.onDeleted()
  }
  return (
    <Confirm title="Delete this monitor?" action="Delete for good" task={task} onClose={on.onClose}>
      <p>
        <strong class="clip">{name}</strong>
      </p>
      <p>Its annotations stay; the one that it may have open ends now.</p>
    </Confirm>
  )
}
