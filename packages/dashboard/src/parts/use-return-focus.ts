/** Gives the focus back to where it was when something opened, if it went away with that. */
import { useLayoutEffect, useRef } from 'preact/hooks'

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
