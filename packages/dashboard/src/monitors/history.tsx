/** The times at which a monitor triggered and recovered, the latest first. */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { Monitor } from '@deployment-annotations/contract/monitor'
import { formatRange } from '../address/range.ts'
import { Moment } from '../parts/moment.tsx'
import { OpenedList } from '../parts/opened-list.tsx'
import { monitorRequests } from '../service/monitors.ts'

const DAYS = 30
const SHOWN_MAX = 20

export function History({ monitor: { id, name, state } }: { monitor: Monitor }) {
  // The end is in the future, because a clock that is slow would leave the latest event out.
  const load = async (signal: AbortSignal) => {
    const range = formatRange({ startMs: Date.now() - DAYS * UNIT_MS.d, endMs: Date.now() + UNIT_MS.d })
    return (await monitorRequests.history(id, range, signal)).reverse()
  }
  return (
    <OpenedList
      title="History"
      of={name}
      load={load}
      newest={`${id} ${state.since}`}
      none={`Nothing in the last ${DAYS} days.`}
      max={SHOWN_MAX}
      line={(alert) => (
        <>
          {alert.state === 'open' ? '▲ Triggered' : '✓ Recovered'} <Moment time={alert.timestamp} />
          {alert.name !== name && <span class="clip"> {alert.name}</span>}
        </>
      )}
    />
  )
}
