/** The choice of the earlier time that the charts are compared with. */
import { navigate, view } from '../address/navigation.ts'
import { EARLIER } from '../charts/earlier.ts'
import { Select } from '../parts/select.tsx'

export function EarlierPicker() {
  return (
    <label for="compare-with" class="compare">
      <span class="hint">Compare with</span>
      <Select id="compare-with" value={view.value.compare} options={EARLIER} onPick={(compare) => navigate({ compare }, true)} />
    </label>
  )
}
