/** Checkboxes for permissions, with presets to start from. */
import { splitNames } from '../parts/split-names.ts'
import { Checks } from '../parts/toggle.tsx'
import type { FieldOf, FormView } from '../resources/fields.ts'
import { user } from '../service/session.ts'
import { groupPermissions, PRESETS, RESOURCE_HINTS } from './permissions.ts'

export function PermissionPicker({ field: { name }, form: { texts, onChange } }: { field: FieldOf; form: FormView }) {
  const all = user.value?.permissions ?? []
  const picked = splitNames(texts[name] ?? '')
  // The order is that of the list, and not of the clicks.
  const pick = (isPicked: (permission: string) => boolean) => onChange({ [name]: all.filter(isPicked).join(', ') })
  return (
    <fieldset>
      <legend>May</legend>
      <div class="row">
        {PRESETS.map(({ name: preset, hint, has }) => (
          <button key={preset} type="button" title={hint} onClick={() => pick(has)}>
            {preset}
          </button>
        ))}
      </div>
      <p class="hint">Start with one of these, or tick what it needs.</p>
      <div class="resources-of-token">
        {groupPermissions(all).map(([resource, actions]) => (
          <Checks
            key={resource}
            legend={resource}
            options={actions.map((action) => [`${resource}|${action}`, action])}
            chosen={picked}
            onPick={(permission) => pick((one) => picked.includes(one) !== (one === permission))}
          >
            <span class="hint">{RESOURCE_HINTS[resource]}</span>
          </Checks>
        ))}
      </div>
    </fieldset>
  )
}
