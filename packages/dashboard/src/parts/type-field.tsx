/** The field for the type of annotations, which says in words what a type may have. */
import { TYPE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { Field } from './field.tsx'

const WORDS = 'A type has lower-case letters, digits and - only, for example production-deploy.'

export function TypeField(props: Parameters<typeof Field>[0]) {
  return (
    <Field
      {...props}
      pattern="[a-z0-9\-]+"
      maxLength={TYPE_POINTS_MAX}
      onInvalid={({ currentTarget }) => {
        if (currentTarget.validity.patternMismatch) currentTarget.setCustomValidity(WORDS)
      }}
      // A custom message counts as an error until it is removed.
      onInputCapture={({ currentTarget }) => currentTarget.setCustomValidity('')}
    />
  )
}
