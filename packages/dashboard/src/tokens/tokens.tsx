/** The page of tokens. A personal token may list, create, regenerate and revoke them. */
import '../parts/listing.css'
import './tokens.css'
import { useState } from 'preact/hooks'
import { Confirm } from '../parts/confirm.tsx'
import { Failure } from '../parts/failure.tsx'
import { useLostFocus } from '../parts/focus.ts'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { signOut, type User, user } from '../service/session.ts'
import { type MadeToken, type Token, tokenRequests } from '../service/tokens.ts'
import { NotPersonal } from './not-personal.tsx'
import { Regenerate, Secret } from './regenerate.tsx'
import { TokenForm } from './token-form.tsx'
import { TokenTable } from './token-table.tsx'

export function Tokens() {
  const who = user.value
  if (!who) return <p class="hint">Loading…</p>
  return who.role.id === 'personal' ? <AllTokens who={who} /> : <NotPersonal who={who} />
}

/** The secret of a new token is stored nowhere else, and is gone when its dialog closes. */
type OpenDialog = { kind: 'form' } | { kind: 'made'; made: MadeToken } | { kind: 'regenerate' | 'revoke'; token: Token }

function AllTokens({ who }: { who: User }) {
  const [version, refresh] = useRefresh()
  const [dialog, setDialog] = useState<OpenDialog>()
  const { data, error, isLoading } = useLoad(tokenRequests.list, [version])
  const heading = useLostFocus<HTMLHeadingElement>(data?.length ?? 0)
  const close = () => setDialog(undefined)
  const showSecret = (made: MadeToken) => {
    setDialog({ kind: 'made', made })
    refresh()
  }
  return (
    <div class="tokens listing" aria-busy={isLoading}>
      <div class="row">
        <h1 ref={heading} tabIndex={-1}>
          Tokens
        </h1>
        <button type="button" class="primary push" onClick={() => setDialog({ kind: 'form' })}>
          New token
        </button>
      </div>
      <p class="hint">
        Everything that speaks to this service has a token: a step in a workflow, a log shipper, you. Give each its own, with no
        more permissions than it needs, so that one can be revoked without the others.
      </p>
      <Failure error={error} onRetry={refresh} />
      {!data && isLoading && <p class="hint">Loading…</p>}
      {data && (
        <TokenTable
          tokens={data}
          ownId={who.id}
          onRegenerate={(token) => setDialog({ kind: 'regenerate', token })}
          onRevoke={(token) => setDialog({ kind: 'revoke', token })}
        />
      )}
      {dialog?.kind === 'form' && <TokenForm all={who.permissions} onClose={close} onMade={showSecret} />}
      {dialog?.kind === 'regenerate' && (
        <Regenerate token={dialog.token} isOwn={dialog.token.id === who.id} onClose={close} onMade={showSecret} />
      )}
      {dialog?.kind === 'made' && <Secret made={dialog.made} onClose={close} />}
      {dialog?.kind === 'revoke' && (
        <Revoke
          token={dialog.token}
          isOwn={dialog.token.id === who.id}
          onClose={close}
          onRevoked={() => {
            close()
            refresh()
          }}
        />
      )}
    </div>
  )
}

interface RevokeProps {
  token: Token
  isOwn: boolean
  onClose: () => void
  onRevoked: () => void
}

function Revoke({ token: { id, name }, isOwn, onClose, onRevoked }: RevokeProps) {
  const revoke = async () => {
    await tokenRequests.delete(id)
    if (isOwn) signOut('You revoked the token that you were signed in with.')
    else onRevoked()
  }
  return (
    <Confirm title="Revoke this token?" name={name} action="Revoke" task={revoke} onClose={onClose}>
      <p class="mono">{id}</p>
      <p>It is refused from the next request on, and cannot be brought back. What it created stays.</p>
      {isOwn && <p class="failure">You are signed in with this token: you will be signed out.</p>}
    </Confirm>
  )
}
