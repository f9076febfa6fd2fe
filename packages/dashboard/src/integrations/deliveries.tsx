/** The last webhooks of an integration and their outcomes, loaded when somebody opens them and whenever there is a newer one. */
import type { Delivery, Integration } from '@deployment-annotations/contract/schemas/integration'
import { useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { DEFAULT_VIEW } from '../address/view.ts'
import { Failure } from '../parts/failure.tsx'
import { Moment } from '../parts/moment.tsx'
import { useLoad } from '../parts/use-load.ts'
import { ViewLink } from '../parts/view-link.tsx'
import { listDeliveries } from '../service/integrations.ts'
import { OUTCOMES } from './platform-text.ts'

export function Deliveries({ integration: { id, name, datasets, lastDelivery } }: { integration: Integration }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Last deliveries <span class="visually-hidden">of {name}</span>
      </summary>
      {isOpen && <List id={id} datasets={datasets} newest={lastDelivery?.time ?? ''} />}
    </details>
  )
}

function List({ id, datasets, newest }: { id: string; datasets: readonly string[]; newest: string }) {
  const { data, error, isLoading } = useLoad((signal) => listDeliveries(id, signal), [id, newest])
  return (
    <div aria-busy={isLoading}>
      <Failure error={error} />
      {!data && isLoading && <p class="hint">Loading…</p>}
      {data?.length === 0 && (
        <p class="hint">
          None yet. What is not signed with the secret of an integration is refused, and counts for none: the log of the service
          has it as “webhook refused”.
        </p>
      )}
      <ol class="deliveries">
        {data?.map((delivery) => (
          <li key={`${delivery.time} ${delivery.deployment}`}>
            <DeliveryLine delivery={delivery} datasets={datasets} />
          </li>
        ))}
      </ol>
    </div>
  )
}

/** @param datasets the datasets whose charts have the annotation */
export function DeliveryLine({ delivery, datasets }: { delivery: Delivery; datasets: readonly string[] }) {
  const { time, outcome, deployment, annotation, reason } = delivery
  const { sign, words } = OUTCOMES[outcome]
  const to = annotation !== undefined && { ...DEFAULT_VIEW, datasets, annotations: [annotation], zone: view.value.zone }
  return (
    <>
      <span class={`outcome is-${outcome}`}>
        <span aria-hidden="true">{sign}</span> {to ? <ViewLink to={to}>{words}</ViewLink> : words}
      </span>{' '}
      <Moment time={time} /> {deployment !== undefined && <span class="mono clip">{deployment}</span>}
      {reason !== undefined && <span class="hint clip"> {reason}</span>}
    </>
  )
}
