/** Moves the keyboard's focus when the element that had it disappears, or a dialog closes. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * @returns the ref of an element that takes the focus when a list became shorter and nothing has the focus. It is a button or has
 *   `tabIndex={-1}`
 */
export function useLostFocus<T extends HTMLElement>(length: number): RefObject<T | null> {
  const place = useRef<T>(null)
  const before = useRef(length)
  useLayoutEffect(() => {
    if (length < before.current && document.activeElement === document.body) place.current?.focus()
    before.current = length
  }, [length])
  return place
}

/**
 * Restores the focus when something closes. If nothing had the focus, or its element is gone, the content of the page takes it.
 * @param open identifies what is open, such as by ids; empty for nothing
 * @param within a selector for what opens: a focus inside it is not restored
 */
export function useReturnFocus(open: string, within: string): void {
  const opener = useRef<Element | null>(null)
  useLayoutEffect(() => {
    const focused = document.activeElement
    if (open !== '') {
      if (!focused?.closest(within) && (focused !== document.body || !opener.current)) opener.current = focused
      return
    }
    const { current } = opener
    opener.current = null
    if (!current || document.activeElement !== document.body) return
    const place = current.isConnected && current !== document.body ? current : document.getElementById('main')
    if (place instanceof HTMLElement) place.focus({ preventScroll: true })
  }, [open])
}
