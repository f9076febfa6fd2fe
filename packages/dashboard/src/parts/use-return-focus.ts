/** Gives the focus back to where it was when something opened, if it went away with that. */
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Where it was not on anything, or on what is not there any more, the content of the page takes it. */
export function useReturnFocus(isOpen: boolean): void {
  const opener = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (isOpen) {
      opener.current = document.activeElement
      return
    }
    const { current } = opener
    opener.current = null
    if (!current || document.activeElement !== document.body) return
    const place = current.isConnected && current !== document.body ? current : document.getElementById('main')
    if (place instanceof HTMLElement) place.focus({ preventScroll: true })
  }, [isOpen])
}
