/** A text from an event: its direction does not affect what is around it, and its hidden characters are shown. */
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
