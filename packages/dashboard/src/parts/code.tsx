/** A block of code. Its lines do not wrap, so that the keyboard has to reach it to scroll it. */
import type { ComponentChildren } from 'preact'

export function Code({ children, class: name }: { children: ComponentChildren; class?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it
    <pre class={name} tabIndex={0}>
      {children}
    </pre>
  )
}
