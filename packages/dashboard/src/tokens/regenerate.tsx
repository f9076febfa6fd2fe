/** Gives a token a new secret, which is shown once. */
import { useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Select } from '../parts/select.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { type MadeToken, type Token, tokenRequests } from '../service/tokens.ts'
import { expiryOf, hasExpired } from './expiry.ts'
import { ExpiryField } from './expiry-field.tsx'

export function Secret({ made, onClose }: { made: MadeToken; onClose: () => void }) {
  return (
    <ShownOnce title="Token created" text={made.token} what="secret" onClose={onClose}>
      This is the secret of <strong class="clip">{made.name}</strong>. It is shown only this once: copy it now to where it is
      needed, such as the secrets of a repository. The service keeps only its hash; if you lose it, create a new token.
    </ShownOnce>
  )
}

interface RegenerateProps {
  token: Token
  isOwn: boolean
  onClose: () => void
  onMade: (made: MadeToken) => void
}

/** This unset time means now by the service's clock, because the browser's may be ahead. */
const AT_ONCE = '0001-01-01T00:00:00Z'
const HOUR_MS = 3_600_000
const HOURS: readonly [hours: string, words: string][] = [
  ['0', 'no longer'],
  ['1', 'for an hour'],
  ['24', 'for a day'],
  ['168', 'for 7 days'],
]

export function Regenerate({ token, isOwn, onClose, onMade }: RegenerateProps) {
  const isOver = hasExpired(token, Date.now())
  const [hours, setHours] = useState(isOver ? '0' : '24')
  const [expiry, setExpiry] = useState({ after: isOver ? '90' : 'before', typed: '' })
  const make = async () => {
    const nowMs = Date.now()
    const newTokenExpiresAt = expiryOf(expiry, nowMs, view.value.zone)
    const existingTokenExpiresAt = hours === '0' ? AT_ONCE : new Date(nowMs + Number(hours) * HOUR_MS).toISOString()
    onMade(await tokenRequests.regenerate(token.id, { existingTokenExpiresAt, ...(newTokenExpiresAt && { newTokenExpiresAt }) }))
  }
  return (
    <FormDialog title="Regenerate this token?" action="Regenerate" task={make} onClose={onClose}>
      <p>
        <strong class="clip">{token.name}</strong> <span class="mono">{token.id}</span>
      </p>
      <p>
        There will be a new token that may do the same, with a secret of its own. Give that to everything that uses this one
        before this one is refused.
      </p>
      {!isOver && <OldOne hours={hours} isOwn={isOwn} onChange={setHours} />}
      <ExpiryField
        label="The new token expires"
        choice={expiry}
        {...(!isOver && { silent: ['before', token.expiresAt ? 'when this one would have' : 'never, as this one'] as const })}
        onChange={setExpiry}
      />
    </FormDialog>
  )
}

/** A user who is signed in with the old secret would be signed out before copying the new one, so “at once” is not offered. */
function OldOne({ hours, isOwn, onChange }: { hours: string; isOwn: boolean; onChange: (hours: string) => void }) {
  return (
    <>
      <label for="token-hours">This one works</label>
      <Select id="token-hours" value={hours} options={HOURS.filter(([value]) => !isOwn || value !== '0')} onPick={onChange} />
      {isOwn && <p class="failure">You are signed in with this token: sign in with the new one before then.</p>}
    </>
  )
}
