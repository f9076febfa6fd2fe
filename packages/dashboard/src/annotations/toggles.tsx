/** The toggles that hide annotations by dataset and type. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { navigate, view } from '../address/navigation.ts'
import { toggle } from '../address/view.ts'
import { Checks } from '../parts/toggle.tsx'
import { countBy } from './visible.ts'

interface TogglesProps {
  /** The charted datasets. */
  datasets: readonly string[]
  annotations: readonly Annotation[]
}

export function Toggles({ datasets, annotations }: TogglesProps) {
  const here = annotations.filter((annotation) => annotation.datasets.some((name) => datasets.includes(name)))
  const byDataset = countBy(annotations, (annotation) => annotation.datasets)
  const byType = countBy(here, ({ type }) => [type])
  // A hidden type keeps its toggle even if no annotation has it: otherwise nobody could show it again.
  const types = [...new Set([...byType.keys(), ...view.value.hiddenTypes])].sort()
  const groups = [
    { legend: 'Datasets', list: 'hiddenDatasets', names: datasets, counts: byDataset },
    { legend: 'Types', list: 'hiddenTypes', names: types, counts: byType },
  ] as const
  return (
    <div class="stack toggles">
      {groups.map(({ legend, list, names, counts }) => (
        <Checks
          key={list}
          legend={legend}
          options={names.map((name) => [name, `${name} (${(counts.get(name) ?? 0).toLocaleString('en')})`])}
          chosen={names.filter((name) => !view.value[list].includes(name))}
          onPick={(name) => navigate({ [list]: toggle(view.value[list], name) }, true)}
        />
      ))}
    </div>
  )
}
