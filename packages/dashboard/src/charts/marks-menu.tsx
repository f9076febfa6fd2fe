/** The menu of the annotations on the charts, which says how many are shown. Its content is loaded when somebody opens it. */
import { view } from '../address/navigation.ts'
import { visibleOn } from '../annotations/visible.ts'
import { later } from '../parts/later.tsx'
import { Menu } from '../parts/menu.tsx'
import type { MarksChoicesProps } from './marks-choices.tsx'

const laterMarksChoices = later(async () => (await import('./marks-choices.tsx')).MarksChoices)

export function MarksMenu(props: MarksChoicesProps) {
  const { datasets, annotations, found } = props
  const all = annotations.filter((one) => one.datasets.some((name) => datasets.includes(name))).length
  const shown = visibleOn(datasets, found, view.value).length
  const count = shown === all ? all.toLocaleString('en') : `${shown.toLocaleString('en')} of ${all.toLocaleString('en')}`
  return (
    <Menu summary="Marks" value={count}>
      {() => (
        <div class="card wide stack marks-menu">
          <laterMarksChoices.View {...props} />
        </div>
      )}
    </Menu>
  )
}
