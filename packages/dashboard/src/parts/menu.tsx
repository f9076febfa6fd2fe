/** A menu behind a button. It closes by Escape, by a click elsewhere, and when the focus moves elsewhere. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface MenuProps {
  summary: ComponentChildren
  children: ComponentChildren
  /** Called each time the menu opens. */
  onOpen?: () => void
}

export function Menu({ summary, children, onOpen }: MenuProps) {
  const place = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const closeOutside = ({ target }: Event) => {
      if (!place.current?.contains(target as Node)) place.current?.removeAttribute('open')
    }
    const types = ['pointerdown', 'focusin'] as const
    for (const type of types) document.addEventListener(type, closeOutside)
    return () => {
      for (const type of types) document.removeEventListener(type, closeOutside)
    }
  }, [])
  return (
    <details
      class="menu"
      ref={place}
      onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape' && currentTarget.open) closeMenu(currentTarget)
      }}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  )
}

/** Closes the menu that contains an element and focuses its button, where keyboard users go on. */
export function closeMenu(within: Element): void {
  const menu = within.closest('details')
  menu?.removeAttribute('open')
  menu?.querySelector('summary')?.focus()
}
