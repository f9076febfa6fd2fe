/** The page of monitors, which are queries that run by themselves: the status of each, and the actions on it. */
import './monitors.css'
import type { Monitor, MonitorChange } from '@deployment-annotations/contract/schemas/monitor'
import { useEffect, useState } from 'preact/hooks'
import { Confirm } from '../parts/confirm.tsx'
import { Failure } from '../parts/failure.tsx'
import { useLostFocus } from '../parts/focus.ts'
import { Permitted } from '../parts/permitted.tsx'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { monitorRequests } from '../service/monitors.ts'
import { may } from '../service/session.ts'
import { NoMonitors } from './empty.tsx'
import { MonitorCard } from './monitor-card.tsx'
import { MonitorForm } from './monitor-form.tsx'

const REFRESH_MS = 10_000
/** The interval while a run is due: people who created or changed a monitor want to see its first result. */
const REFRESH_SOON_MS = 2_000

type OpenDialog = { kind: 'form'; draft: MonitorChange | Monitor } | { kind: 'delete'; monitor: Monitor }

export function Monitors() {
  return (
    <Permitted title="Monitors" what="monitors" permission="monitors|read">
      <AllMonitors />
    </Permitted>
  )
}

function AllMonitors() {
  const [dialog, setDialog] = useState<OpenDialog>()
  const { monitors, error, isLoading, refresh } = useMonitors()
  const heading = useLostFocus<HTMLHeadingElement>(monitors?.length ?? 0)
  const close = () => setDialog(undefined)
  const closeAndRefresh = () => {
    close()
    refresh()
  }
  const create = (draft: MonitorChange) => setDialog({ kind: 'form', draft })
  return (
    <div class="monitors">
      <div class="row">
        <h1 ref={heading} tabIndex={-1}>
          Monitors
        </h1>
        {may('monitors|create') && (
          <button type="button" class="primary push" onClick={() => create({})}>
            New monitor
          </button>
        )}
      </div>
      <Failure error={error} onRetry={refresh} />
      {!monitors && isLoading && <p class="hint">Loading…</p>}
      {monitors?.length === 0 && <NoMonitors onStart={may('monitors|create') ? create : undefined} />}
      {monitors && monitors.length > 0 && (
        <ul class="monitor-list">
          {monitors.map((monitor) => (
            <MonitorCard
              key={monitor.id}
              monitor={monitor}
              onEdit={() => setDialog({ kind: 'form', draft: monitor })}
              onDelete={() => setDialog({ kind: 'delete', monitor })}
              onChanged={refresh}
            />
          ))}
        </ul>
      )}
      {dialog?.kind === 'form' && <MonitorForm draft={dialog.draft} onClose={close} onSaved={closeAndRefresh} />}
      {dialog?.kind === 'delete' && <Delete monitor={dialog.monitor} onClose={close} onDeleted={closeAndRefresh} />}
    </div>
  )
}

/** Loads the monitors at an interval, and sooner while a run is due. */
function useMonitors() {
  const [version, refresh] = useRefresh(REFRESH_MS)
  const { data, error, isLoading } = useLoad(monitorRequests.list, [version])
  useEffect(() => {
    if (!data?.some(isDue)) return
    const timer = setTimeout(() => document.visibilityState === 'visible' && refresh(), REFRESH_SOON_MS)
    return () => clearTimeout(timer)
  }, [data])
  return { monitors: data, error, isLoading, refresh }
}

function isDue({ state }: Monitor): boolean {
  return state.nextRun !== undefined && Date.parse(state.nextRun) <= Date.now()
}

function Delete({ monitor: { id, name }, ...on }: { monitor: Monitor; onClose: () => void; onDeleted: () => void }) {
  const task = async () => {
    await monitorRequests.remove(id)
    on.onDeleted()
  }
  return (
    <Confirm title="Delete this monitor?" name={name} action="Delete for good" task={task} onClose={on.onClose}>
      <p>Its annotations stay; one that is still open ends now.</p>
    </Confirm>
  )
}
