/** What is known of an annotation as one sign, with its word for people who cannot see it. */
import { SIGNS, type State } from './verdict.ts'

export function Sign({ state }: { state: State }) {
  const [sign, word] = SIGNS[state]
  return (
    <span class={`sign is-${state}`}>
      <span aria-hidden="true">{sign}</span>
      <span class="visually-hidden">{word}</span>
    </span>
  )
}
