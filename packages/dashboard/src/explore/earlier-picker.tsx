/** The choice of the earlier time that the charts are compared with. */
import { navigate, view } from '../address/navigation.ts'
import { EARLIER } from '../charts/earlier.ts'

export function EarlierPicker() {
  return (
    <label class="compare">
      <span class="hint">Compare with</span>
      <select value={view.value.compare} onChange={({ currentTarget }) => navigate({ compare: currentTarget.value }, true)}>
        {EARLIER.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}
