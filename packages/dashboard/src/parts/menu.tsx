/** A menu behind a button. It closes by Escape, by a click elsewhere, and when the focus moves elsewhere. */
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

interface MenuProps {
  summary: ComponentChildren
  /** What is chosen in it. */
  value?: string | undefined
  /** A function is called when the menu is opened, and not before. */
  children: ComponentChildren | (() => ComponentChildren)
  /** Called each time the menu opens. */
  onOpen?: () => void
}

function closeOthers({ target }: Event): void {
  for (const menu of document.querySelectorAll('details.menu[open]'))
    if (!menu.contains(target as Node)) menu.removeAttribute('open')
}

for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, closeOthers)

export function Menu({ summary, value, children, onOpen }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      class="menu"
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open)
        if (currentTarget.open) onOpen?.()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !event.currentTarget.open) return
        // What the menu is in stays open.
        event.stopPropagation()
        closeMenu(event.currentTarget)
      }}
    >
      <summary>
        {summary}
        {value !== undefined && <strong class="clip"> {value}</strong>}
      </summary>
      {typeof children === 'function' ? isOpen && children() : children}
    </details>
  )
}

interface MenuButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick'> {
  onClick: () => void
}

/** A button in a menu, which closes the menu before it acts. */
export function MenuButton({ onClick, ...button }: MenuButtonProps) {
  return (
    <button
      type="button"
      class="quiet"
      {...(button as object)}
      onClick={({ currentTarget }) => {
        closeMenu(currentTarget)
        onClick()
      }}
    />
  )
}

/** Closes the menu that contains an element and focuses its button, where keyboard users go on. */
export function closeMenu(within: Element): void {
  const menu = within.closest('details.menu')
  menu?.removeAttribute('open')
  menu?.querySelector('summary')?.focus()
}
