/** Gives a token a new secret, and shows the secret of a token once. */
import type { TokenRegeneration } from '@deployment-annotations/contract/token'
import type { FieldOf, Options } from '../resources/fields.ts'
import type { ActionProps, Once } from '../resources/resource.ts'
import { ResourceForm } from '../resources/resource-form.tsx'
import { user } from '../service/session.ts'
import { type MadeToken, type Token, tokenRequests } from '../service/tokens.ts'
import { afterDays, DAYS, hasExpired } from './expiry.ts'

/** This unset time means now by the service's clock, because the browser's may be ahead. */
const AT_ONCE = '0001-01-01T00:00:00Z'
const FOR_DAYS: Options = [
  ['1', 'for a day'],
  ['7', 'for 7 days'],
]

export function Regenerate({ one: token, onClose, onDone }: ActionProps<Token>) {
  const isOwn = token.id === user.value?.id
  return (
    <ResourceForm
      title="Regenerate this token?"
      form={{ fields: fieldsOf(token, isOwn), finish: (how) => ({ existingTokenExpiresAt: AT_ONCE, ...how }) }}
      isNew
      action="Regenerate"
      task={async (how) => onDone(shownOnce(await tokenRequests.regenerate(token.id, how as TokenRegeneration)))}
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
  const isOver = hasExpired(token)
  const before = token.expiresAt ? 'when this one would have' : 'never, as this one'
  return [
    {
      name: 'existingTokenExpiresAt',
      label: 'This one works',
      kind: 'choice',
      options: isOwn ? FOR_DAYS : [['', 'no longer'], ...FOR_DAYS],
      initial: '1',
      write: afterDays,
      isShown: () => !isOver,
    },
    {
      name: 'newTokenExpiresAt',
      label: 'The new token expires',
      kind: 'choice',
      options: isOver ? DAYS : [['', before], ...DAYS],
      initial: isOver ? '90' : '',
      write: afterDays,
    },
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
