/**
 * Where the keyboard's focus goes when the element that had it disappears, or a dialog closes.
 */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** @returns for the element, a button or one with `tabIndex={-1}`, that takes the focus when a list got shorter and nothing has it */
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
 * Where it was not on anything, or on what is not there any more, the content of the page takes it.
 * @param open what is open, such as ids; empty for nothing
 * @param within what matches it is inside of what opens: a focus in there is not one to give back
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
