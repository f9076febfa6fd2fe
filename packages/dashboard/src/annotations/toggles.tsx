/** Shows and hides annotations: a toggle for each dataset and one for each type. The choice is part of the view. */
import './annotations.css'
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import { toggle, type View } from '../address/view.ts'
import { ColourPicker } from './colour-picker.tsx'
import { countBy } from './visible.ts'

interface TogglesProps {
  /** Those that are charted. */
  datasets: readonly string[]
  annotations: readonly Annotation[]
  view: View
  onChange: (change: Partial<View>) => void
}

export function Toggles({ datasets, annotations, view, onChange }: TogglesProps) {
  const counts = new Map(countBy(annotations, (annotation) => annotation.datasets))
  const here = annotations.filter((annotation) => annotation.datasets.some((name) => datasets.includes(name)))
  const counted = new Map(countBy(here, ({ type }) => [type]))
  // A hidden type keeps its toggle even when no annotation of it is left: otherwise it could not be shown again.
  const types = [...new Set([...counted.keys(), ...view.hiddenTypes])].sort()
  return (
    <div class="toggles">
      {datasets.length > 0 && (
        <fieldset>
          <legend>Annotations of</legend>
          {datasets.map((name) => (
            <label key={name} class="toggle">
              <input
                type="checkbox"
                checked={!view.hiddenDatasets.includes(name)}
                onChange={() => onChange({ hiddenDatasets: toggle(view.hiddenDatasets, name) })}
              />
              <span class="clip">{name}</span> <span class="count">{(counts.get(name) ?? 0).toLocaleString('en')}</span>
            </label>
          ))}
        </fieldset>
      )}
      {types.length > 0 && (
        <fieldset>
          <legend>Types</legend>
          {types.map((type) => (
            <span key={type} class="type">
              <label class="toggle">
                <input
                  type="checkbox"
                  checked={!view.hiddenTypes.includes(type)}
                  onChange={() => onChange({ hiddenTypes: toggle(view.hiddenTypes, type) })}
                />
                <span class="clip">{type}</span> <span class="count">{(counted.get(type) ?? 0).toLocaleString('en')}</span>
              </label>
              <ColourPicker type={type} />
            </span>
          ))}
        </fieldset>
      )}
    </div>
  )
}
