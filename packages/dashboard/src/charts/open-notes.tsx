/** What goes on on a dataset, each in a few words that open its panel. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { describeGoingOn } from '../annotations/annotation-view.ts'
import { select } from '../annotations/select.ts'

/** More are in the menu of annotations. */
const SHOWN_MAX = 2

export function OpenNotes({ open }: { open: readonly Annotation[] }) {
  const nowMs = Date.now()
  return open.slice(0, SHOWN_MAX).map((annotation) => (
    <button key={annotation.id} type="button" class="plain is-open" onClick={() => select([annotation.id])}>
      <span aria-hidden="true">◐</span> {describeGoingOn(annotation, nowMs)}
    </button>
  ))
}
