/** A button that shows a sign alone, with a label that says what it does. */
import type { ComponentChildren } from 'preact'

interface SignButtonProps {
  label: string
  class?: string
  isPressed?: boolean
  /** Whether it does nothing now. It is not disabled, because a disabled button loses the focus. */
  isOff?: boolean
  onClick: () => void
  children: ComponentChildren
}

export function SignButton({ label, class: name = 'quiet', isPressed, isOff = false, onClick, children }: SignButtonProps) {
  return (
    <button
      type="button"
      class={name}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      aria-disabled={isOff}
      onClick={() => !isOff && onClick()}
    >
      {children}
    </button>
  )
}
