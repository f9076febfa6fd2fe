/**
 * Creates a link to what the page shows, for people who have no token. It has a token of its own, which may only read these datasets,
 * until the link ends. The token stands behind the `#` of the address, which browsers send to no server. The page of tokens revokes it.
 */
import type { Permission } from '@deployment-annotations/contract/permission'
import { useState } from 'preact/hooks'
import { formatTime } from '../address/format-time.ts'
import { view } from '../address/navigation.ts'
import { formatView, type View } from '../address/view.ts'
import { ShownOnce } from '../parts/shown-once.tsx'
import type { FieldOf } from '../resources/fields.ts'
import { ResourceForm } from '../resources/resource-form.tsx'
import { type MadeToken, tokenRequests } from '../service/tokens.ts'
import { afterDays } from '../tokens/expiry.ts'
import { membersOf } from '../tokens/grants.ts'
import type { SaveFormProps } from './save-form.tsx'

const MAY: readonly Permission[] = ['annotations|read', 'query|read', 'datasets|read', 'virtualFields|read']
const END: FieldOf = {
  name: 'expiresAt',
  label: 'Ends',
  kind: 'choice',
  options: [
    ['1', 'in a day'],
    ['7', 'in 7 days'],
    ['30', 'in 30 days'],
  ],
  initial: '7',
  write: afterDays,
}

export function PublicLink({ charted, onClose }: SaveFormProps) {
  const [made, setMade] = useState<MadeToken>()
  const create = async (end: { expiresAt?: string }) => {
    // Without a dataset the token would be for all.
    if (charted.length === 0) throw new Error('There is no chart to link to: run a query, or choose a dataset.')
    const name = `Public link to ${charted.join(', ')}`.slice(0, 200)
    setMade(await tokenRequests.create({ name, ...end, ...membersOf(MAY, charted) }))
  }
  if (made) return <Made made={made} charted={charted} onClose={onClose} />
  return (
    <ResourceForm title="Public link" form={{ fields: [END] }} isNew action="Create the link" task={create} onClose={onClose}>
      <p>
        Everybody who has the link reads all events and annotations of <strong>{charted.join(', ') || 'nothing'}</strong>, without
        signing in, and changes nothing.
      </p>
    </ResourceForm>
  )
}

function Made({ made: { name, token, expiresAt }, charted, onClose }: { made: MadeToken } & SaveFormProps) {
  const link = `${location.origin}${formatView(readOnly(view.value, charted))}#token=${token}`
  return (
    <ShownOnce title="Public link" text={link} what="link" onClose={onClose}>
      It is shown only this once, and ends {expiresAt !== undefined && formatTime(expiresAt, view.value.zone)}. “Tokens” lists it
      as <strong>{name}</strong>, and ends it sooner.
    </ShownOnce>
  )
}

/** @returns the view as others may see it: saved views are for those who have a token of their own */
function readOnly(shown: View, charted: readonly string[]): View {
  return { ...shown, datasets: shown.apl === '' ? charted : [], savedView: '', annotations: [], live: false, refresh: '' }
}
