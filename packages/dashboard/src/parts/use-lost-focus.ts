/** Where the focus goes when what had it goes away, such as the button of a row that was just deleted. */
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
