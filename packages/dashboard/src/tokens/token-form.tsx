/** Creates a token: its name, and what it may do. */
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { Failure } from '../parts/failure.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { createToken, type MadeToken } from '../service/tokens.ts'
import { toggle } from '../view/view.ts'
import { findPreset, groupPermissions, PRESETS, RESOURCE_HINTS } from './permissions.ts'

interface TokenFormProps {
  /** All permissions there are: a personal token, which is needed here, has every one. */
  all: readonly string[]
  onClose: () => void
  onMade: (made: MadeToken) => void
}

export function TokenForm({ all, onClose, onMade }: TokenFormProps) {
  const [name, setName] = useState('')
  const [isPersonal, setPersonal] = useState(false)
  const [picked, setPicked] = useState<readonly string[]>([])
  const { error, isBusy, attempt } = useAttempt()
  const make = async () => {
    // In the order of the list, whatever the order of the clicks.
    const permissions = all.filter((permission) => picked.includes(permission))
    onMade(await createToken(isPersonal ? { name, kind: 'personal' } : { name, permissions }))
  }
  const canMake = isPersonal || picked.length > 0
  return (
    <Dialog title="New token" onClose={onClose}>
      <form
        class="token-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (canMake) void attempt(make)
        }}
      >
        <label for="token-name">Name</label>
        <input
          id="token-name"
          required
          autocomplete="off"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
          aria-describedby="token-name-hint"
        />
        <p id="token-name-hint" class="hint">
          Who or what uses it; the log and the list show this name.
        </p>
        <fieldset>
          <legend>Kind</legend>
          <label class="toggle">
            <input type="radio" name="kind" checked={!isPersonal} onChange={() => setPersonal(false)} />
            API token: may do what is ticked below
          </label>
          <label class="toggle">
            <input type="radio" name="kind" checked={isPersonal} onChange={() => setPersonal(true)} />
            Personal token: may do everything, including creating and revoking tokens
          </label>
        </fieldset>
        {!isPersonal && <PermissionPicker all={all} picked={picked} onChange={setPicked} />}
        <Failure error={error} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={!canMake} aria-disabled={isBusy || !canMake}>
            Create
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface PickerProps {
  all: readonly string[]
  picked: readonly string[]
  onChange: (picked: readonly string[]) => void
}

function PermissionPicker({ all, picked, onChange }: PickerProps) {
  const preset = findPreset(picked, all)
  return (
    <fieldset aria-describedby="preset-hint">
      <legend>May</legend>
      <div class="row">
        {PRESETS.map((one) => (
          <button key={one.name} type="button" aria-pressed={one === preset} onClick={() => onChange(all.filter(one.has))}>
            {one.name}
          </button>
        ))}
      </div>
      <p id="preset-hint" class="hint">
        {preset ? `${preset.name}: ${preset.hint}.` : 'Start with one of these, or tick what it needs.'}
      </p>
      <div class="resources">
        {groupPermissions(all).map(([resource, actions]) => (
          <fieldset key={resource}>
            <legend>{resource}</legend>
            {actions.map((action) => (
              <label key={action} class="toggle">
                <input
                  type="checkbox"
                  checked={picked.includes(`${resource}|${action}`)}
                  onChange={() => onChange(toggle(picked, `${resource}|${action}`))}
                />
                {action}
              </label>
            ))}
            <span class="hint">{RESOURCE_HINTS[resource]}</span>
          </fieldset>
        ))}
      </div>
    </fieldset>
  )
}
