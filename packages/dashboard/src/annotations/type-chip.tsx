/** The type of an annotation, in its color. */
import { styleOf } from '../address/type-colors.ts'

export function TypeChip({ type }: { type: string }) {
  return (
    <span class="chip" style={styleOf(type)}>
      {type}
    </span>
  )
}
