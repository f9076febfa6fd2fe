/** The button that copies a query as a command to run elsewhere. */
import { view } from '../address/navigation.ts'
import { useCopy } from '../parts/copy.tsx'
import { Menu, MenuButton } from '../parts/menu.tsx'
import { writeCurl, writeStep } from './as-command.ts'

const FORMS = [
  ['curl', writeCurl],
  ['A workflow step', writeStep],
] as const

/** @param apl the query, which is run over the range of the page */
export function CopyQuery({ apl }: { apl: string }) {
  const [said, copy] = useCopy()
  const { startTime, endTime } = view.value
  return (
    <>
      <Menu summary="Copy as">
        <div class="card">
          {FORMS.map(([name, write]) => (
            <MenuButton
              key={name}
              onClick={() => copy(write({ apl, startTime, endTime }, location.origin), 'Copied; it takes the token from TOKEN')}
            >
              {name}
            </MenuButton>
          ))}
        </div>
      </Menu>
      <span class="hint" role="status">
        {said}
      </span>
    </>
  )
}
