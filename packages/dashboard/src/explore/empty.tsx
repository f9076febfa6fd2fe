/** The page without data: it shows the command that sends the first events, and the step that creates the first annotation. */
import { useEffect } from 'preact/hooks'
import { CopyLines } from '../parts/copy.tsx'
import { eventLines, stepLines } from '../parts/setup-lines.ts'
import { useRefresh } from '../parts/use-refresh.ts'

const LOOK_MS = 3_000

/** @param onLook checks again whether there is a dataset */
export function NoDatasets({ onLook }: { onLook: () => void }) {
  const [looks] = useRefresh(LOOK_MS)
  useEffect(() => {
    if (looks > 0) onLook()
  }, [looks])
  return (
    <section class="card empty">
      <h2>No events yet</h2>
      <p>The first events that you send to a dataset create it:</p>
      <CopyLines text={eventLines(location.origin, 'web')} of="this command" />
      <p>
        This step in your deployment's workflow creates an annotation on its chart. <code>baseUrl</code> is the address at which
        the runner reaches this service.
      </p>
      <CopyLines text={stepLines(location.origin, 'web')} of="this step" />
    </section>
  )
}

export function NoAnnotations({ dataset }: { dataset: string }) {
  return (
    <details class="hint">
      <summary>No annotations in this range. How to create one</summary>
      <CopyLines text={stepLines(location.origin, dataset)} of="this step" />
    </details>
  )
}
