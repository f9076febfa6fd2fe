/** The menu of how results are shown. Its content is loaded when somebody opens it. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import type { Range } from '../address/range.ts'
import { Failure } from '../parts/failure.tsx'
import { Menu } from '../parts/menu.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { KIND_NAMES } from '../query/shown-as.ts'
import './display.css'
import { type Answered, listChoices } from '../charts/display.ts'
import type { DisplayChoicesProps } from './display-choices.tsx'

interface DisplayMenuProps {
  range: Range
  /** Absent for the charts of datasets. */
  answered: Answered | undefined
}

export function DisplayMenu({ range, answered }: DisplayMenuProps) {
  const [Choices, setChoices] = useState<(props: DisplayChoicesProps) => JSX.Element>()
  const { error, attempt } = useAttempt()
  const choices = listChoices(view.value, answered)
  const chosen = choices.kinds.find((one) => one === view.value.kind)
  const load = async () => {
    const { DisplayChoices } = await import('./display-choices.tsx')
    setChoices(() => DisplayChoices)
  }
  return (
    <Menu
      summary={
        <>
          Display{chosen && ': '}
          {chosen && <strong>{KIND_NAMES[chosen].toLowerCase()}</strong>}
        </>
      }
      onOpen={() => void attempt(load)}
    >
      <div class="card display-menu">
        <Failure error={error} />
        {Choices && <Choices range={range} choices={choices} />}
      </div>
    </Menu>
  )
}
