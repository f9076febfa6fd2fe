/** The button that copies a query as a command to run elsewhere. */
import { useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { copyText } from '../parts/copy.tsx'
import { closeMenu, Menu } from '../parts/menu.tsx'
import { describeError } from '../service/request.ts'
import { writeCurl, writeStep } from './as-command.ts'

const FORMS = [
  ['curl', writeCurl],
  ['A workflow step', writeStep],
] as const

/** @param apl the query, which is run over the range of the page */
export function CopyQuery({ apl }: { apl: string }) {
  const [said, say] = useState('')
  const { startTime, endTime } = view.value
  const copy = (write: typeof writeCurl) =>
    copyText(write({ apl, startTime, endTime }, location.origin)).then(
      () => say('Copied; it takes the token from TOKEN'),
      (error: unknown) => say(`Not copied: ${describeError(error)}`),
    )
  return (
    <>
      <Menu summary="Copy as">
        <div class="card">
          {FORMS.map(([name, write]) => (
            <button
              key={name}
              type="button"
              class="quiet"
              onClick={({ currentTarget }) => {
                closeMenu(currentTarget)
                void copy(write)
              }}
            >
              {name}
            </button>
          ))}
        </div>
      </Menu>
      <span class="hint" role="status">
        {said}
      </span>
    </>
  )
}
