/** The menu of how results are shown. Its content is loaded when somebody opens it. */
import './display.css'
import { view } from '../address/navigation.ts'
import type { Range } from '../address/range.ts'
import { type Answered, listChoices } from '../charts/display.ts'
import { whenOf } from '../charts/earlier.ts'
import { later } from '../parts/later.tsx'
import { Menu } from '../parts/menu.tsx'
import { KIND_NAMES } from '../query/shown-as.ts'

const laterChoices = later(async () => (await import('./display-choices.tsx')).DisplayChoices)

interface DisplayMenuProps {
  range: Range
  /** Absent for the charts of datasets. */
  answered: Answered | undefined
}

export function DisplayMenu({ range, answered }: DisplayMenuProps) {
  const choices = listChoices(answered)
  const chosen = choices.kinds.find((one) => one === view.value.kind)
  const words = [chosen && KIND_NAMES[chosen].toLowerCase(), whenOf(view.value.compare)].filter(Boolean).join(', ')
  return (
    <Menu onPoint={laterChoices.prefetch} summary={words ? 'Display:' : 'Display'} value={words || undefined}>
      {() => (
        <div class="card wide stack display-menu">
          <laterChoices.View range={range} choices={choices} />
        </div>
      )}
    </Menu>
  )
}
