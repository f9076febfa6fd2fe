/** One notifier: what it is told, where it sends, its last message, and the actions on it. */
import type { Notifier, NotifierDelivery } from '@deployment-annotations/contract/schemas/notifier'
import { useState } from 'preact/hooks'
import { Act } from '../parts/act.tsx'
import { Failure } from '../parts/failure.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { testNotifier } from '../service/notifiers.ts'
import { may } from '../service/session.ts'
import { DeliveryLine, NotifierDeliveries } from './notifier-deliveries.tsx'
import { describeEvents, describeTarget, KIND_NAMES, kindOf } from './notifier-text.ts'

export type NotifierAct = 'change' | 'delete'

interface NotifierCardProps {
  notifier: Notifier
  onAct: (act: NotifierAct) => void
  onDone: () => void
}

export function NotifierCard({ notifier, onAct, onDone }: NotifierCardProps) {
  const { name, quietHours, lastDelivery } = notifier
  const kind = kindOf(notifier)
  return (
    <li class="card integration">
      <div class="row">
        <h3 class="clip">{name}</h3>
        {kind && <span class="chip">{KIND_NAMES[kind]}</span>}
      </div>
      <dl class="facts">
        <dt>Told when</dt>
        <dd>{describeEvents(notifier)}</dd>
        <dt>Sends to</dt>
        <dd class="clip">{describeTarget(notifier)}</dd>
        {quietHours && (
          <>
            <dt>Quiet</dt>
            <dd>
              {quietHours.start} to {quietHours.end}, {quietHours.zone}
            </dd>
          </>
        )}
        <dt>Last message</dt>
        <dd>{lastDelivery ? <DeliveryLine delivery={lastDelivery} /> : 'none yet'}</dd>
      </dl>
      <NotifierDeliveries notifier={notifier} />
      <Acts notifier={notifier} onAct={onAct} onDone={onDone} />
    </li>
  )
}

function Acts({ notifier: { id, name }, onAct, onDone }: NotifierCardProps) {
  const [tried, setTried] = useState<NotifierDelivery>()
  const { error, isBusy, attempt } = useAttempt()
  const test = async () => {
    setTried(await testNotifier(id))
    onDone()
  }
  return (
    <>
      <div class="row">
        {may('notifiers|update') && (
          <>
            <button type="button" aria-label={`Send a test to ${name}`} aria-disabled={isBusy} onClick={() => void attempt(test)}>
              {isBusy ? 'Sending…' : 'Send a test'}
            </button>
            <Act words="Change" on={name} onClick={() => onAct('change')} />
          </>
        )}
        {may('notifiers|delete') && <Act words="Delete" on={name} isDangerous onClick={() => onAct('delete')} />}
      </div>
      <div role="status">{tried && <DeliveryLine delivery={tried} />}</div>
      <Failure error={error} />
    </>
  )
}
