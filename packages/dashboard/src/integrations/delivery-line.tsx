/** What became of a webhook. */
import type { Delivery } from '@deployment-annotations/contract/integration'
import { view } from '../address/navigation.ts'
import { DEFAULT_VIEW } from '../address/view.ts'
import { Moment } from '../parts/moment.tsx'
import { ViewLink } from '../parts/view-link.tsx'
import type { Sign } from '../resources/resource.ts'

export const OUTCOMES: Readonly<Record<Delivery['outcome'], Sign>> = {
  created: { sign: '✓', words: 'Marked', tone: 'good' },
  changed: { sign: '✓', words: 'Changed the annotation', tone: 'good' },
  unchanged: { sign: '=', words: 'Nothing new' },
  ignored: { sign: '–', words: 'Not marked' },
  refused: { sign: '✕', words: 'Refused', tone: 'bad' },
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
