/**
 * Makes a link to what the page shows for somebody who has no token: one is made for it that may only read, only these datasets, and only
 * until the link ends. It stands behind the `#` of the address, which browsers send to no server. The page of tokens lists and revokes it.
 */
import type { Permission } from '@deployment-annotations/contract/permission'
import { useState } from 'preact/hooks'
import { formatTime } from '../address/format-time.ts'
import { view } from '../address/navigation.ts'
import { formatView, type View } from '../address/view.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Select } from '../parts/select.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { type MadeToken, tokenRequests } from '../service/tokens.ts'
import { expiryOf } from '../tokens/expiry.ts'
import { membersOf } from '../tokens/grants.ts'

const MAY: readonly Permission[] = ['annotations|read', 'query|read', 'datasets|read', 'virtualFields|read']
const ENDS: readonly [days: string, words: string][] = [
  ['1', 'in a day'],
  ['7', 'in 7 days'],
  ['30', 'in 30 days'],
]

interface PublicLinkProps {
  /** The charted datasets. */
  charted: readonly string[]
  onClose: () => void
}

export function PublicLink({ charted, onClose }: PublicLinkProps) {
  const [days, setDays] = useState('7')
  const [made, setMade] = useState<MadeToken>()
  const make = async () => {
    // Without a dataset the token would be for all.
    if (charted.length === 0) throw new Error('There is no chart to link to: run a query, or choose a dataset.')
    const expiresAt = expiryOf({ after: days, typed: '' }, Date.now(), view.value.zone)
    if (expiresAt === undefined) throw new Error('A public link needs an end.')
    const name = `Public link to ${charted.join(', ')}`.slice(0, 200)
    setMade(await tokenRequests.create({ name, expiresAt, ...membersOf([...MAY], charted) }))
  }
  if (made) return <Made made={made} charted={charted} onClose={onClose} />
  return (
    <FormDialog title="Public link" action="Make the link" task={make} onClose={onClose}>
      <p>
        Whoever has the link reads all events and annotations of <strong>{charted.join(', ') || 'nothing'}</strong>, without
        signing in, and changes nothing.
      </p>
      <label for="link-end">Ends</label>
      <Select id="link-end" value={days} options={ENDS} onPick={setDays} />
    </FormDialog>
  )
}

function Made({ made: { name, token, expiresAt }, charted, onClose }: { made: MadeToken } & PublicLinkProps) {
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
