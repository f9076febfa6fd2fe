/** Picks the datasets to chart: a list of checkboxes behind a button. */
import { toggle } from '../view/view.ts'

export interface DatasetPickerProps {
  datasets: readonly string[]
  picked: readonly string[]
  onChange: (datasets: string[]) => void
}

export function DatasetPicker({ datasets, picked, onChange }: DatasetPickerProps) {
  return (
    <details class="menu">
      <summary>
        Datasets: <strong class="clip">{picked.length > 0 ? picked.join(', ') : 'none'}</strong>
      </summary>
      <fieldset class="card">
        <legend class="visually-hidden">Datasets to chart</legend>
        {datasets.map((name) => (
          <label key={name} class="toggle">
            <input type="checkbox" checked={picked.includes(name)} onChange={() => onChange(toggle(picked, name))} />
            {name}
          </label>
        ))}
      </fieldset>
    </details>
  )
}
