/** The last messages of a notifier and what became of them. */
import type { Notifier, NotifierDelivery } from '@deployment-annotations/contract/schemas/notifier'
import { Moment } from '../parts/moment.tsx'
import { OpenedList } from '../parts/opened-list.tsx'
import { listNotifierDeliveries } from '../service/notifiers.ts'
import { STATES } from './notifier-text.ts'

export function NotifierDeliveries({ notifier: { id, name, lastDelivery } }: { notifier: Notifier }) {
  return (
    <OpenedList
      title="Last messages"
      of={name}
      className="deliveries"
      load={(signal) => listNotifierDeliveries(id, signal)}
      newest={`${id} ${JSON.stringify(lastDelivery)}`}
      none="None yet."
      line={(delivery) => <DeliveryLine delivery={delivery} />}
    />
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
