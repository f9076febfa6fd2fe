/** How the function is called whose brackets the caret is in: its arguments, the one at the caret marked, and an example. */
import type { WrittenCall } from './written-call.ts'

interface CallHelpProps {
  /** The textarea is described by it. */
  id: string
  call: WrittenCall
}

export function CallHelp({ id, call: { signature, from, to, example } }: CallHelpProps) {
  return (
    <p id={id} class="query-call">
      <code>
        {signature.slice(0, from)}
        <b>{signature.slice(from, to)}</b>
        {signature.slice(to)}
      </code>
      {example && (
        <span class="hint">
          {example.call} = {example.gives}
        </span>
      )}
    </p>
  )
}
