/** The notifiers on the page of integrations: who is told, what became of the last messages, and dialogs to change that. */
import type { MadeNotifier, Notifier } from '@deployment-annotations/contract/schemas/notifier'
import { useState } from 'preact/hooks'
import { Confirm } from '../parts/confirm.tsx'
import { Failure } from '../parts/failure.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { notifierRequests } from '../service/notifiers.ts'
import { may } from '../service/session.ts'
import { type NotifierAct, NotifierCard } from './notifier-card.tsx'
import { NotifierForm } from './notifier-form.tsx'

const REFRESH_MS = 5_000

type NotifierDialog = { kind: 'form' } | { kind: NotifierAct; notifier: Notifier } | { kind: 'made'; made: MadeNotifier }

export function Notifiers() {
  const [version, refresh] = useRefresh(REFRESH_MS)
  const [dialog, setDialog] = useState<NotifierDialog>()
  const { data, error, isLoading } = useLoad(may('notifiers|read') ? notifierRequests.list : undefined, [version])
  if (!may('notifiers|read')) return null
  return (
    <section aria-labelledby="notifiers" aria-busy={isLoading}>
      <div class="row">
        <h2 id="notifiers">Notifiers</h2>
        {may('notifiers|create') && (
          <button type="button" class="push" onClick={() => setDialog({ kind: 'form' })}>
            New notifier
          </button>
        )}
      </div>
      <Failure error={error} onRetry={refresh} />
      {data?.length === 0 && (
        <p class="card">
          None yet. A notifier tells people, by Slack, Teams, email or a webhook, when a release is judged worse, a deployment
          failed, or a monitor triggers.
        </p>
      )}
      {data && data.length > 0 && (
        <ul class="integration-list">
          {data.map((notifier) => (
            <NotifierCard
              key={notifier.id}
              notifier={notifier}
              onAct={(kind) => setDialog({ kind, notifier })}
              onDone={refresh}
            />
          ))}
        </ul>
      )}
      {dialog && <DialogOf dialog={dialog} onChange={setDialog} onDone={refresh} />}
    </section>
  )
}

interface DialogProps {
  dialog: NotifierDialog
  /** Opens another dialog, or none. */
  onChange: (dialog?: NotifierDialog) => void
  onDone: () => void
}

function DialogOf({ dialog, onChange, onDone }: DialogProps) {
  const close = () => onChange(undefined)
  const done = () => {
    close()
    onDone()
  }
  const show = (made: MadeNotifier) => {
    onChange(made.secret === undefined ? undefined : { kind: 'made', made })
    onDone()
  }
  if (dialog.kind === 'made') return <MadeSecret made={dialog.made} onClose={close} />
  if (dialog.kind === 'form') return <NotifierForm onClose={close} onMade={show} onChanged={done} />
  const { notifier } = dialog
  if (dialog.kind === 'change') return <NotifierForm notifier={notifier} onClose={close} onMade={show} onChanged={done} />
  const remove = async () => {
    await notifierRequests.remove(notifier.id)
    done()
  }
  return (
    <Confirm title="Delete this notifier?" name={notifier.name} action="Delete for good" task={remove} onClose={close}>
      <p>Messages that wait are not sent any more, and monitors that name it tell nobody.</p>
    </Confirm>
  )
}

function MadeSecret({ made: { name, secret }, onClose }: { made: MadeNotifier; onClose: () => void }) {
  return (
    <ShownOnce title="Notifier created" text={secret} what="secret" onClose={onClose}>
      This is the secret with which messages of <strong class="clip">{name}</strong> are signed, as Standard Webhooks says. It is
      shown only this once: give it to the receiver now.
    </ShownOnce>
  )
}
