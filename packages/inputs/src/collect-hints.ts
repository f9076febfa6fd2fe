/** What the service says beside an annotation, for who makes one call and reads it afterwards. */
import type { AnnotationCallOptions } from '@deployment-annotations/client/annotation-calls'
import type { Hints } from '@deployment-annotations/client/hints'

/** @returns options for one call, and what the service says besides once it has answered */
export function collectHints(options: AnnotationCallOptions): { hints: Hints; collecting: AnnotationCallOptions } {
  const hints: Hints = {}
  return { hints, collecting: { ...options, onHints: (said) => Object.assign(hints, said) } }
}
