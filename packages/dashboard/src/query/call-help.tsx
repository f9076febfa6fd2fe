/** How the function is called whose brackets the caret is in: its arguments, the one at the caret marked, and an example. */
import type { WrittenCall } from './written-call.ts'

export function CallHelp({ call }: { call: WrittenCall | undefined }) {
  if (!call) return null
  const { signature, from, to, example } = call
  return (
    <p class="query-call">
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
