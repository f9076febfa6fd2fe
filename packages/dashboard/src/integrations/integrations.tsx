/** The page of integrations: whose deployment webhooks are annotated, and how else annotations and events get here. */
import './integrations.css'
import type { Integration, MadeIntegration } from '@deployment-annotations/contract/schemas/integration'
import { useState } from 'preact/hooks'
import { Notifiers } from '../notifiers/notifiers.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Failure } from '../parts/failure.tsx'
import { useLostFocus } from '../parts/focus.ts'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { integrationRequests } from '../service/integrations.ts'
import { may, user } from '../service/session.ts'
import { type IntegrationAct, IntegrationCard } from './integration-card.tsx'
import { IntegrationForm } from './integration-form.tsx'
import { Made, NewSecret } from './new-secret.tsx'
import { SendData } from './send-data.tsx'

/** People who have just set up a webhook wait for its first delivery. */
const REFRESH_MS = 5_000

export function Integrations() {
  // Until the token's permissions are known, nothing is requested.
  if (!user.value) return <p class="hint">Loading…</p>
  return (
    <div class="integrations">
      <h1 class="page-title">Integrations</h1>
      {may('integrations|read') ? (
        <AllIntegrations />
      ) : (
        <p class="card">
          The token that you are signed in with may not see integrations: it lacks the permission integrations|read.
        </p>
      )}
      <Notifiers />
      <SendData />
    </div>
  )
}

/** A secret is stored nowhere else, and is gone when its dialog closes. */
type OpenDialog =
  | { kind: 'form' }
  | { kind: IntegrationAct; integration: Integration }
  | { kind: 'made'; made: MadeIntegration; isNew: boolean }

function AllIntegrations() {
  const [version, refresh] = useRefresh(REFRESH_MS)
  const [dialog, setDialog] = useState<OpenDialog>()
  const { data, error, isLoading } = useLoad(integrationRequests.list, [version])
  const heading = useLostFocus<HTMLHeadingElement>(data?.length ?? 0)
  return (
    <section aria-labelledby="deployments" aria-busy={isLoading}>
      <div class="row">
        <h2 id="deployments" ref={heading} tabIndex={-1}>
          Deployments reported by webhook
        </h2>
        {may('integrations|create') && (
          <button type="button" class="primary push" onClick={() => setDialog({ kind: 'form' })}>
            New integration
          </button>
        )}
      </div>
      <Failure error={error} onRetry={refresh} />
      {!data && isLoading && <p class="hint">Loading…</p>}
      {data?.length === 0 && (
        <p class="card">
          None yet. GitHub, Vercel, Netlify or a script of your own can report each deployment by a webhook, where no workflow
          runs it: it is marked while it is in progress, and becomes a span that says how it went.
        </p>
      )}
      {data && data.length > 0 && (
        <ul class="integration-list">
          {data.map((integration) => (
            <IntegrationCard key={integration.id} integration={integration} onAct={(kind) => setDialog({ kind, integration })} />
          ))}
        </ul>
      )}
      {dialog && <OpenDialogOf dialog={dialog} onChange={setDialog} onDone={refresh} />}
    </section>
  )
}

interface OpenDialogProps {
  dialog: OpenDialog
  /** Opens another dialog, or none. */
  onChange: (dialog?: OpenDialog) => void
  onDone: () => void
}

function OpenDialogOf({ dialog, onChange, onDone }: OpenDialogProps) {
  const close = () => onChange(undefined)
  const done = () => {
    close()
    onDone()
  }
  const show = (isNew: boolean) => (made: MadeIntegration) => {
    onChange({ kind: 'made', made, isNew })
    onDone()
  }
  if (dialog.kind === 'made') return <Made made={dialog.made} isNew={dialog.isNew} onClose={close} />
  if (dialog.kind === 'form') return <IntegrationForm onClose={close} onMade={show(true)} onChanged={done} />
  const { integration } = dialog
  if (dialog.kind === 'change')
    return <IntegrationForm integration={integration} onClose={close} onMade={show(true)} onChanged={done} />
  if (dialog.kind === 'secret') return <NewSecret integration={integration} onClose={close} onMade={show(false)} />
  const remove = async () => {
    await integrationRequests.remove(integration.id)
    done()
  }
  return (
    <Confirm title="Delete this integration?" name={integration.name} action="Delete for good" task={remove} onClose={close}>
      <p>
        Its webhooks are refused from the next one on, and its secret is gone. The annotations that it made stay; of a deployment
        that is in progress the end is not marked.
      </p>
    </Confirm>
  )
}
