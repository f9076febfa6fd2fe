/** Where the caret of a textarea is, however it came there: by keys, by a tap, or because something was written for the user. */
import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

export function useCaret(textarea: RefObject<HTMLTextAreaElement | null>): number {
  const [caret, setCaret] = useState(0)
  useEffect(() => {
    const read = () => {
      if (textarea.current && document.activeElement === textarea.current) setCaret(textarea.current.selectionStart)
    }
    document.addEventListener('selectionchange', read)
    return () => document.removeEventListener('selectionchange', read)
  }, [])
  return caret
}
