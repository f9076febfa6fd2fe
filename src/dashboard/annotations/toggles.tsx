/** Shows and hides annotations: a toggle for each dataset and one for each type. The choice is part of the view. */
import './annotations.css'
import type { Annotation } from '../../api/annotation.ts'
import { colourOf } from '../chart/colours.ts'
import { toggle, type View } from '../view/view.ts'
import { countBy } from './visible.ts'

export interface TogglesProps {
  /** Those that are charted. */
  datasets: readonly string[]
  annotations: readonly Annotation[]
  view: View
  onChange: (change: Partial<View>) => void
}

export function Toggles({ datasets, annotations, view, onChange }: TogglesProps) {
  const counts = new Map(countBy(annotations, (annotation) => annotation.datasets))
  const here = annotations.filter((annotation) => annotation.datasets.some((name) => datasets.includes(name)))
  const types = new Map([...view.hiddenTypes.map((type): [string, number] => [type, 0]), ...countBy(here, ({ type }) => [type])])
  return (
    <div class="toggles">
      <fieldset>
        <legend>Annotations of</legend>
        {datasets.map((name) => (
          <label key={name} class="toggle">
            <input
              type="checkbox"
              checked={!view.hiddenDatasets.includes(name)}
              onChange={() => onChange({ hiddenDatasets: toggle(view.hiddenDatasets, name) })}
            />
            {name} <span class="count">{counts.get(name) ?? 0}</span>
          </label>
        ))}
      </fieldset>
      {types.size > 0 && (
        <fieldset>
          <legend>Types</legend>
          {[...types].map(([type, count]) => (
            <label key={type} class="toggle">
              <input
                type="checkbox"
                checked={!view.hiddenTypes.includes(type)}
                onChange={() => onChange({ hiddenTypes: toggle(view.hiddenTypes, type) })}
              />
              <span class={`swatch type-${colourOf(type)}`} />
              {type} <span class="count">{count}</span>
            </label>
          ))}
        </fieldset>
      )}
    </div>
  )
}
