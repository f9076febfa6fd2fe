/** The two commands after which somebody sees their own releases, and what of them has arrived. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { Dataset } from '@deployment-annotations/contract/dataset'
import { useEffect } from 'preact/hooks'
import { titleOf } from '../annotations/annotation-view.ts'
import { roundDuration } from '../annotations/verdict.ts'
import { SetupSteps } from '../integrations/setup-steps.tsx'
import { useRefresh } from '../parts/use-refresh.ts'

const LOOK_MS = 5_000

interface FirstRunProps {
  /** The first dataset and the first annotation that are not made up. */
  own: Dataset | undefined
  mark: Annotation | undefined
  /** Checks again what there is. */
  onLook: () => void
}

export function FirstRun({ own, mark, onLook }: FirstRunProps) {
  const [looks] = useRefresh(LOOK_MS)
  useEffect(() => {
    if (looks > 0) onLook()
  }, [looks])
  const event = own && `✓ First event is in: ${own.name}, ${roundDuration(Date.now() - Date.parse(own.created))} ago`
  return (
    <section class="card first-run" aria-labelledby="first-run">
      <h2 id="first-run">Two commands to see your own releases here</h2>
      <p class="hint">
        The first sends what your service does. The second marks a release. 10 min later this page says whether it hurt.
      </p>
      <SetupSteps dataset={own?.name ?? 'web'} arrived={[event, mark && `✓ First mark is in: ${titleOf(mark)}`]} />
    </section>
  )
}
