/** One integration: its settings, its last delivery, its setup, and the actions on it. */
import { platformRow } from '@deployment-annotations/contract/platform'
import type { Integration } from '@deployment-annotations/contract/schemas/integration'
import { Act } from '../parts/act.tsx'
import { Moment } from '../parts/moment.tsx'
import { may } from '../service/session.ts'
import { Deliveries, DeliveryLine } from './deliveries.tsx'
import { describeEnvironments, writeRule } from './platform-text.ts'
import { Setup } from './setup.tsx'

export type IntegrationAct = 'change' | 'secret' | 'delete'

interface IntegrationCardProps {
  integration: Integration
  onAct: (act: IntegrationAct) => void
}

export function IntegrationCard({ integration, onAct }: IntegrationCardProps) {
  const { id, name, platform, datasets, rules, type, title, environments, createdAt, lastDelivery } = integration
  return (
    <li class="card integration">
      <div class="row">
        <h3 class="clip">{name}</h3>
        <span class="chip">{platformRow(platform).label}</span>
      </div>
      <dl class="facts">
        <dt>Marks</dt>
        <dd>
          {describeEnvironments(environments)} on <strong>{datasets.join(', ')}</strong>
        </dd>
        {rules.length > 0 && (
          <>
            <dt>But</dt>
            <dd>
              {rules.map((rule, i) => (
                <code key={i} class="clip rule">
                  {writeRule(rule)}
                </code>
              ))}
            </dd>
          </>
        )}
        <dt>As</dt>
        <dd>
          <span class="chip">{type}</span> <code class="clip">{title}</code>
        </dd>
        <dt>Created</dt>
        <dd>
          <Moment time={createdAt} />
        </dd>
        <dt>Last delivery</dt>
        <dd>{lastDelivery ? <DeliveryLine delivery={lastDelivery} datasets={datasets} /> : 'none yet'}</dd>
      </dl>
      <Deliveries integration={integration} />
      <details>
        <summary>
          Setup <span class="visually-hidden">of {name}</span>
        </summary>
        <Setup platform={platform} id={id} />
      </details>
      <Acts name={name} onAct={onAct} />
    </li>
  )
}

function Acts({ name, onAct }: { name: string; onAct: (act: IntegrationAct) => void }) {
  return (
    <div class="row">
      {may('integrations|update') && (
        <>
          <Act words="Change" on={name} onClick={() => onAct('change')} />
          <Act words="Replace the secret" on={`of ${name}`} onClick={() => onAct('secret')} />
        </>
      )}
      {may('integrations|delete') && <Act words="Delete" on={name} isDangerous onClick={() => onAct('delete')} />}
    </div>
  )
}
