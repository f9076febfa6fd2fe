/** Checkboxes for permissions, with presets to start from. */
import { toggle } from '../address/view.ts'
import { findPreset, groupPermissions, PRESETS, RESOURCE_HINTS } from './permissions.ts'

interface PickerProps {
  all: readonly string[]
  picked: readonly string[]
  onChange: (picked: readonly string[]) => void
}

export function PermissionPicker({ all, picked, onChange }: PickerProps) {
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
