/** The times at which a monitor triggered and recovered, the latest first, loaded when somebody opens them. */
import type { Monitor } from '@deployment-annotations/contract/schemas/monitor'
import { useState } from 'preact/hooks'
import { formatTime } from '../address/format-time.ts'
import { view } from '../address/navigation.ts'
import { formatRange } from '../address/range.ts'
import { Failure } from '../parts/failure.tsx'
import { useLoad } from '../parts/use-load.ts'
import { readHistory } from '../service/monitors.ts'

const DAYS = 30
const DAY_MS = 86_400_000
const SHOWN_MAX = 20

export function History({ monitor: { id, name, state } }: { monitor: Monitor }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="history" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        History <span class="visually-hidden">of {name}</span>
      </summary>
      {isOpen && <Changes id={id} name={name} since={state.since} />}
    </details>
  )
}

function Changes({ id, name, since }: { id: string; name: string; since: string }) {
  // The end is in the future, because a clock that is slow would leave the latest event out.
  const load = (signal: AbortSignal) =>
    readHistory(id, formatRange({ startMs: Date.now() - DAYS * DAY_MS, endMs: Date.now() + DAY_MS }), signal)
  const { data, error, isLoading } = useLoad(load, [id, since])
  const shown = data?.slice(-SHOWN_MAX).reverse() ?? []
  const left = (data?.length ?? 0) - shown.length
  return (
    <div aria-busy={isLoading}>
      <Failure error={error} />
      {!data && isLoading && <p class="hint">Loading…</p>}
      {data?.length === 0 && <p class="hint">Nothing in the last {DAYS} days.</p>}
      <ol>
        {shown.map((alert) => (
          <li key={`${alert.checkId} ${alert.state}`}>
            <span aria-hidden="true">{alert.state === 'open' ? '▲' : '✓'}</span>{' '}
            {alert.state === 'open' ? 'Triggered' : 'Recovered'}{' '}
            <time dateTime={alert.timestamp} title={alert.timestamp}>
              {formatTime(alert.timestamp, view.value.zone).replace(/\.\d+/, '')}
            </time>
            {alert.name !== name && <span class="clip"> {alert.name}</span>}
          </li>
        ))}
      </ol>
      {left > 0 && (
        <p class="hint">
          and {left.toLocaleString('en')} before that in the last {DAYS} days
        </p>
      )}
    </div>
  )
}
