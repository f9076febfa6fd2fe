/** The toggles that hide annotations by dataset and type. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { navigate, view } from '../address/navigation.ts'
import { toggle } from '../address/view.ts'
import { Toggle } from '../parts/toggle.tsx'
import { countBy } from './visible.ts'

interface TogglesProps {
  /** The charted datasets. */
  datasets: readonly string[]
  annotations: readonly Annotation[]
}

export function Toggles({ datasets, annotations }: TogglesProps) {
  const counts = new Map(countBy(annotations, (annotation) => annotation.datasets))
  const here = annotations.filter((annotation) => annotation.datasets.some((name) => datasets.includes(name)))
  const counted = new Map(countBy(here, ({ type }) => [type]))
  // A hidden type keeps its toggle even if no annotation has it: otherwise nobody could show it again.
  const types = [...new Set([...counted.keys(), ...view.value.hiddenTypes])].sort()
  return (
    <div class="stack toggles">
      {datasets.length > 0 && (
        <fieldset>
          <legend>Datasets</legend>
          {datasets.map((name) => (
            <HideToggle key={name} list="hiddenDatasets" name={name} count={counts.get(name)} />
          ))}
        </fieldset>
      )}
      {types.length > 0 && (
        <fieldset>
          <legend>Types</legend>
          {types.map((type) => (
            <HideToggle key={type} list="hiddenTypes" name={type} count={counted.get(type)} />
          ))}
        </fieldset>
      )}
    </div>
  )
}

interface HideToggleProps {
  list: 'hiddenDatasets' | 'hiddenTypes'
  name: string
  count: number | undefined
}

function HideToggle({ list, name, count = 0 }: HideToggleProps) {
  const hidden = view.value[list]
  return (
    <Toggle isOn={!hidden.includes(name)} onChange={() => navigate({ [list]: toggle(hidden, name) }, true)}>
      <span class="clip">{name}</span> <span class="count">{count.toLocaleString('en')}</span>
    </Toggle>
  )
}
