/** Asks before an annotation is deleted. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { Confirm } from '../parts/confirm.tsx'
import { annotationRequests } from '../service/annotations.ts'
import { titleOf } from './annotation-view.ts'

interface DeleteAnnotationProps {
  annotation: Annotation
  onClose: () => void
  onDeleted: () => void
}

export function DeleteAnnotation({ annotation, onClose, onDeleted }: DeleteAnnotationProps) {
  const task = async () => {
    await annotationRequests.delete(annotation.id)
    onDeleted()
  }
  return (
    <Confirm title="Delete the annotation?" action="Delete permanently" task={task} onClose={onClose}>
      <p class="clip">
        {titleOf(annotation)} will disappear from the charts of {annotation.datasets.join(', ')}.
      </p>
    </Confirm>
  )
}
