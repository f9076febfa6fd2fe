/** The field of a token's expiry: after a number of days, at a time, or never. */
import { view } from '../address/navigation.ts'
import { zoneName } from '../address/zone.ts'
import { Field } from '../parts/field.tsx'
import { Select } from '../parts/select.tsx'
import { DAYS, type ExpiryChoice } from './expiry.ts'

interface ExpiryFieldProps {
  label: string
  choice: ExpiryChoice
  /** The default choice; absent if there is none. */
  silent?: readonly [after: string, words: string]
  onChange: (choice: ExpiryChoice) => void
}

export function ExpiryField({ label, choice, silent, onChange }: ExpiryFieldProps) {
  const { after, typed } = choice
  const options = [...(silent ? [silent] : []), ...DAYS, ['time', 'at a time'] as const]
  return (
    <>
      <label for="token-expires">{label}</label>
      <Select id="token-expires" value={after} options={options} onPick={(to) => onChange({ ...choice, after: to })} />
      {after === 'time' && (
        <Field
          id="token-expires-at"
          label={`Expires at (${zoneName(view.value.zone)})`}
          type="datetime-local"
          required
          value={typed}
          onText={(text) => onChange({ ...choice, typed: text })}
        />
      )}
    </>
  )
}
