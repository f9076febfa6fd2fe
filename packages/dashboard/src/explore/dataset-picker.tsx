/** Picks the datasets to chart: a list of checkboxes behind a button. */

import { toggle } from '../address/view.ts'
import { Menu } from '../parts/menu.tsx'

interface DatasetPickerProps {
  datasets: readonly string[]
  /** One that does not exist may have been in a link; it can be taken away. */
  picked: readonly string[]
  /** What is said where none is picked. */
  without: string
  onChange: (datasets: string[]) => void
}

export function DatasetPicker({ datasets, picked, without, onChange }: DatasetPickerProps) {
  // None picked means the first few, so the last one stays until there is another.
  const isLast = (name: string) => picked.length === 1 && picked[0] === name
  return (
    <Menu
      summary={
        <>
          Datasets: <strong class="clip">{picked.length > 0 ? picked.join(', ') : without}</strong>
        </>
      }
    >
      <fieldset class="card">
        <legend class="visually-hidden">Datasets to chart</legend>
        {[...new Set([...datasets, ...picked])].map((name) => (
          <label key={name} class="toggle">
            <input
              type="checkbox"
              checked={picked.includes(name)}
              aria-disabled={isLast(name)}
              onClick={(event) => isLast(name) && event.preventDefault()}
              onChange={() => onChange(toggle(picked, name))}
            />
            <span class="clip">{name}</span>
          </label>
        ))}
      </fieldset>
    </Menu>
  )
}
