/** The text of a textarea and where its caret is, however that came there: by keys, by a tap, or because something was written for the user. */
import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

interface Place {
  text: string
  caret: number
}

export function useCaret(textarea: RefObject<HTMLTextAreaElement | null>): Place {
  const [place, setPlace] = useState<Place>({ text: '', caret: 0 })
  useEffect(() => {
    const read = () => {
      const field = textarea.current
      if (field && document.activeElement === field) setPlace({ text: field.value, caret: field.selectionStart })
    }
    document.addEventListener('selectionchange', read)
    return () => document.removeEventListener('selectionchange', read)
  }, [])
  return place
}
