/** The form that creates a token: its name, permissions, datasets and expiry. */
import type { Permission } from '@deployment-annotations/contract/permission'
import { TOKEN_DESCRIPTION_POINTS_MAX } from '@deployment-annotations/contract/token'
import { useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { DatasetChoice } from '../parts/dataset-choice.tsx'
import { Field } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { checkDatasetNames } from '../parts/plain-words.ts'
import { splitNames } from '../parts/split-names.ts'
import { useLoad } from '../parts/use-load.ts'
import { datasetRequests } from '../service/datasets.ts'
import { type MadeToken, tokenRequests } from '../service/tokens.ts'
import { expiryOf } from './expiry.ts'
import { ExpiryField } from './expiry-field.tsx'
import { membersOf } from './grants.ts'
import { PermissionPicker } from './permission-picker.tsx'

interface TokenFormProps {
  /** All permissions; a personal token, which this page needs, has every one. */
  all: readonly Permission[]
  onClose: () => void
  onMade: (made: MadeToken) => void
}

const EMPTY = { name: '', description: '', isPersonal: false, isLimited: false, datasets: '' }
type Texts = typeof EMPTY

export function TokenForm({ all, onClose, onMade }: TokenFormProps) {
  const [texts, setTexts] = useState(EMPTY)
  const [picked, setPicked] = useState<readonly string[]>([])
  const [expiry, setExpiry] = useState({ after: 'never', typed: '' })
  const change = (some: Partial<Texts>) => setTexts((before) => ({ ...before, ...some }))
  const make = async () => {
    const { name, description, isPersonal, isLimited } = texts
    const expiresAt = expiryOf(expiry, Date.now(), view.value.zone)
    const common = { name, ...(description !== '' && { description }), ...(expiresAt && { expiresAt }) }
    // The order is that of the list, and not of the clicks.
    const permissions = all.filter((permission) => picked.includes(permission))
    const given = isPersonal ? ({ kind: 'personal' } as const) : membersOf(permissions, isLimited ? chosen(texts) : [])
    onMade(await tokenRequests.create({ ...common, ...given }))
  }
  const canMake = texts.isPersonal || picked.length > 0
  return (
    <FormDialog title="New token" className="token-form" action="Create" task={make} isIncomplete={!canMake} onClose={onClose}>
      <NameAndKind texts={texts} onChange={change} />
      {!texts.isPersonal && <PermissionPicker all={all} picked={picked} onChange={setPicked} />}
      {!texts.isPersonal && <Datasets texts={texts} onChange={change} />}
      <ExpiryField label="Expires" choice={expiry} silent={['never', 'never']} onChange={setExpiry} />
    </FormDialog>
  )
}

/** @throws Error if no dataset is chosen, which would mean all */
function chosen({ datasets }: Texts): string[] {
  const names = splitNames(datasets)
  if (names.length === 0) throw new Error('Choose at least one dataset, or all.')
  checkDatasetNames(names)
  return names
}

interface PartProps {
  texts: Texts
  onChange: (change: Partial<Texts>) => void
}

function NameAndKind({ texts: { name, description, isPersonal }, onChange }: PartProps) {
  return (
    <>
      <Field
        id="token-name"
        label="Name"
        required
        value={name}
        onText={(text) => onChange({ name: text })}
        hint="Who or what uses it; the log and the list show this name."
      />
      <Field
        id="token-description"
        label="Description"
        maxLength={TOKEN_DESCRIPTION_POINTS_MAX}
        value={description}
        onText={(text) => onChange({ description: text })}
      />
      <fieldset>
        <legend>Kind</legend>
        <label class="toggle">
          <input type="radio" name="kind" checked={!isPersonal} onChange={() => onChange({ isPersonal: false })} />
          API token: may do what is ticked below
        </label>
        <label class="toggle">
          <input type="radio" name="kind" checked={isPersonal} onChange={() => onChange({ isPersonal: true })} />
          Personal token: may do everything, including creating and revoking tokens
        </label>
      </fieldset>
    </>
  )
}

function Datasets({ texts: { isLimited, datasets }, onChange }: PartProps) {
  const { data } = useLoad(datasetRequests.list, [])
  return (
    <fieldset>
      <legend>With</legend>
      <label class="toggle">
        <input type="radio" name="reach" checked={!isLimited} onChange={() => onChange({ isLimited: false })} />
        all datasets, those to come included
      </label>
      <label class="toggle">
        <input type="radio" name="reach" checked={isLimited} onChange={() => onChange({ isLimited: true })} />
        only some: it reaches no others, nor what is about others
      </label>
      {isLimited && data && (
        <DatasetChoice
          legend="Datasets"
          datasets={data.map(({ name }) => name)}
          value={datasets}
          onChange={(names) => onChange({ datasets: names })}
        />
      )}
    </fieldset>
  )
}
