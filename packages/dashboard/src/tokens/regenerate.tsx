/** Gives a token a new secret, and shows the secret of a token once. */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { view } from '../address/navigation.ts'
import type { FieldOf, Options } from '../resources/fields.ts'
import type { ActionProps, Once } from '../resources/resource.ts'
import { ResourceForm } from '../resources/resource-form.tsx'
import { user } from '../service/session.ts'
import { type MadeToken, type Token, tokenRequests } from '../service/tokens.ts'
import { DAYS, expiryFields, expiryOf, hasExpired } from './expiry.ts'

/** This unset time means now by the service's clock, because the browser's may be ahead. */
const AT_ONCE = '0001-01-01T00:00:00Z'
const HOURS: Options = [
  ['1', 'for an hour'],
  ['24', 'for a day'],
  ['168', 'for 7 days'],
]

export function Regenerate({ one: token, onClose, onDone }: ActionProps<Token>) {
  const isOwn = token.id === user.value?.id
  const regenerate = async ({ hours = '0', expires = '', expiresAt = '' }: Record<string, string>) => {
    const nowMs = Date.now()
    const newTokenExpiresAt = expiryOf({ after: expires, typed: expiresAt }, nowMs, view.value.zone)
    const existingTokenExpiresAt = hours === '0' ? AT_ONCE : new Date(nowMs + Number(hours) * UNIT_MS.h).toISOString()
    const how = { existingTokenExpiresAt, ...(newTokenExpiresAt && { newTokenExpiresAt }) }
    onDone(shownOnce(await tokenRequests.regenerate(token.id, how)))
  }
  return (
    <ResourceForm
      title="Regenerate this token?"
      form={{ fields: fieldsOf(token, isOwn), finish: (_, texts) => texts }}
      isNew
      action="Regenerate"
      task={(texts) => regenerate(texts as Record<string, string>)}
      onClose={onClose}
    >
      <p>
        <strong class="clip">{token.name}</strong> <span class="mono">{token.id}</span>
      </p>
      <p>
        There will be a new token that may do the same, with a secret of its own. Give that to everything that uses this one
        before this one is refused.
      </p>
      {isOwn && <p class="failure">You are signed in with this token: sign in with the new one before it is refused.</p>}
    </ResourceForm>
  )
}

/** A user who is signed in with the old secret would be signed out before copying the new one, so “no longer” is not offered. */
function fieldsOf(token: Token, isOwn: boolean): FieldOf[] {
  if (hasExpired(token, Date.now())) return expiryFields('The new token expires', DAYS, '90')
  const before = token.expiresAt ? 'when this one would have' : 'never, as this one'
  return [
    {
      name: 'hours',
      label: 'This one works',
      kind: 'choice',
      options: isOwn ? HOURS : [['0', 'no longer'], ...HOURS],
      initial: '24',
    },
    ...expiryFields('The new token expires', [['before', before], ...DAYS]),
  ]
}

export function shownOnce({ name, token }: MadeToken): Once {
  return {
    title: 'Token created',
    text: token,
    what: 'secret',
    children: (
      <>
        This is the secret of <strong class="clip">{name}</strong>. It is shown only this once: copy it now to where it is needed,
        such as the secrets of a repository. The service keeps only its hash; if you lose it, create a new token.
      </>
    ),
  }
}
