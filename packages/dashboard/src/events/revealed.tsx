/** A text that somebody else wrote: set apart from the direction of what is around it, its hidden characters shown. */
import { reveal } from './reveal.ts'

export function Revealed({ text, class: name }: { text: string; class?: string }) {
  const parts = reveal(text)
  return (
    <bdi class={name}>
      {parts.every(({ isHidden }) => !isHidden)
        ? text
        : parts.map((part) => (part.isHidden ? <span class="hidden-character">{part.text}</span> : part.text))}
    </bdi>
  )
}
