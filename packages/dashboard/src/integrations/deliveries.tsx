/** The last webhooks of an integration and their outcomes. */
import type { Delivery, Integration } from '@deployment-annotations/contract/integration'
import { view } from '../address/navigation.ts'
import { DEFAULT_VIEW } from '../address/view.ts'
import { Moment } from '../parts/moment.tsx'
import { OpenedList } from '../parts/opened-list.tsx'
import { ViewLink } from '../parts/view-link.tsx'
import { integrationRequests } from '../service/integrations.ts'
import { OUTCOMES } from './platform-text.ts'

export function Deliveries({ integration: { id, name, datasets, lastDelivery } }: { integration: Integration }) {
  return (
    <OpenedList
      title="Last deliveries"
      of={name}
      load={(signal) => integrationRequests.deliveries(id, signal)}
      newest={`${id} ${lastDelivery?.time}`}
      none="None yet. What is not signed with the secret of an integration is refused, and counts for none: the log of the service has it as “webhook refused”."
      line={(delivery) => <DeliveryLine delivery={delivery} datasets={datasets} />}
    />
  )
}

/** @param datasets the datasets whose charts have the annotation */
export function DeliveryLine({ delivery, datasets }: { delivery: Delivery; datasets: readonly string[] }) {
  const { time, outcome, deployment, annotation, reason } = delivery
  const { sign, words, tone = 'quiet' } = OUTCOMES[outcome]
  const to = annotation !== undefined && { ...DEFAULT_VIEW, datasets, annotations: [annotation], zone: view.value.zone }
  return (
    <>
      <span class={`is-${tone}`}>
        <span aria-hidden="true">{sign}</span> {to ? <ViewLink to={to}>{words}</ViewLink> : words}
      </span>{' '}
      <Moment time={time} /> {deployment !== undefined && <span class="mono clip">{deployment}</span>}
      {reason !== undefined && <span class="hint clip"> {reason}</span>}
    </>
  )
}
