/** How the function is called whose brackets the caret is in: its arguments, the one at the caret marked, and an example. */
import type { RefObject } from 'preact'
import type { LanguageFunction } from '../service/language.ts'
import { useCaret } from './use-caret.ts'
import { readCall } from './written-call.ts'

interface CallHelpProps {
  /** The textarea is described by it. */
  id: string
  textarea: RefObject<HTMLTextAreaElement | null>
  functions: readonly LanguageFunction[]
}

export function CallHelp({ id, textarea, functions }: CallHelpProps) {
  const { text, caret } = useCaret(textarea)
  const call = readCall(text, caret, functions)
  if (!call) return null
  const { signature, from, to, example } = call
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
