/** Shows a text of an event: its direction does not affect its surroundings, and its hidden characters are visible. */
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
