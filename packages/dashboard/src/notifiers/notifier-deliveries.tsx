/** The last messages of a notifier and what became of them, loaded when somebody opens them and whenever there is a newer one. */
import type { Notifier, NotifierDelivery } from '@deployment-annotations/contract/schemas/notifier'
import { useState } from 'preact/hooks'
import { Failure } from '../parts/failure.tsx'
import { Moment } from '../parts/moment.tsx'
import { useLoad } from '../parts/use-load.ts'
import { listNotifierDeliveries } from '../service/notifiers.ts'
import { STATES } from './notifier-text.ts'

export function NotifierDeliveries({ notifier: { id, name, lastDelivery } }: { notifier: Notifier }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Last messages <span class="visually-hidden">of {name}</span>
      </summary>
      {isOpen && <List id={id} newest={JSON.stringify(lastDelivery)} />}
    </details>
  )
}

function List({ id, newest }: { id: string; newest: string }) {
  const { data, error, isLoading } = useLoad((signal) => listNotifierDeliveries(id, signal), [id, newest])
  return (
    <div aria-busy={isLoading}>
      <Failure error={error} />
      {!data && isLoading && <p class="hint">Loading…</p>}
      {data?.length === 0 && <p class="hint">None yet.</p>}
      <ol class="deliveries">
        {data?.map((delivery) => (
          <li key={delivery.id}>
            <DeliveryLine delivery={delivery} />
          </li>
        ))}
      </ol>
    </div>
  )
}

export function DeliveryLine({ delivery }: { delivery: NotifierDelivery }) {
  const { state, title, attempts, lastTry, nextTry, error } = delivery
  const { sign, words } = STATES[state]
  return (
    <>
      <span class={`outcome is-${state === 'failed' ? 'refused' : state}`}>
        <span aria-hidden="true">{sign}</span> {words}
        {attempts > 1 && `, tried ${attempts} times`}
      </span>{' '}
      {lastTry !== undefined && <Moment time={lastTry} />} <span class="clip">{title}</span>
      {error !== undefined && <span class="hint clip"> {error}</span>}
      {nextTry !== undefined && (
        <span class="hint">
          {' '}
          next: <Moment time={nextTry} />
        </span>
      )}
    </>
  )
}
