/** The button that copies a query as a command to run elsewhere. */
import { view } from '../address/navigation.ts'
import { useCopy } from '../parts/copy.tsx'
import { writeCurl } from './as-command.ts'

/** @param apl the query, which is run over the range of the page */
export function CopyQuery({ apl }: { apl: string }) {
  const [said, copy] = useCopy()
  const { startTime, endTime } = view.value
  const act = () => copy(writeCurl({ apl, startTime, endTime }, location.origin), 'Copied; it takes the token from TOKEN')
  return (
    <>
      <button type="button" onClick={act}>
        Copy as curl
      </button>
      <span class="hint" role="status">
        {said}
      </span>
    </>
  )
}
