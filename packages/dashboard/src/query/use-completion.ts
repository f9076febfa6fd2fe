/**
 * The list of completions of a textarea: when it is open, which of its items is active, and what taking one writes.
 * Deliberately not here: which names there are, and how the list looks.
 */
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Completion, complete, type Names } from './completion.ts'
import type { Item } from './item.ts'

interface OpenList {
  completion: Completion
  /** Index of the item that Enter takes; -1 for none. */
  active: number
}

export interface CompletionList {
  /** Absent while there is nothing to show. */
  open: OpenList | undefined
  /** Shows what can be written at the caret, again when names arrive that were not known yet. */
  suggest: () => void
  close: () => void
  /** Makes the next item active, or the one before, around the ends. */
  move: (by: 1 | -1) => void
  /** Writes an item. */
  take: (item: Item) => void
}

interface CompletionOptions {
  textarea: RefObject<HTMLTextAreaElement | null>
  names: Names
  /** @param text all that the textarea holds after an item was taken */
  onWritten: (text: string) => void
}

export function useCompletion({ textarea, names, onWritten }: CompletionOptions): CompletionList {
  const [open, setOpen] = useState<OpenList>()
  /** The user typed or asked for the list, and did nothing else since. Names may arrive only then. */
  const isWanted = useRef(false)
  const suggest = () => {
    isWanted.current = true
    if (textarea.current) setOpen(openAt(textarea.current, names))
  }
  const close = () => {
    isWanted.current = false
    setOpen(undefined)
  }
  const move = (by: 1 | -1) => {
    if (open) setOpen({ ...open, active: step(open, by) })
  }
  const take = ({ insert, caretBack }: Item) => {
    if (!open || !textarea.current) return
    replaceText(textarea.current, open.completion, insert)
    const caret = open.completion.from + insert.length - caretBack
    textarea.current.setSelectionRange(caret, caret)
    onWritten(textarea.current.value)
    close()
  }
  useEffect(() => {
    if (isWanted.current) suggest()
  }, [names])
  return { open, suggest, close, move, take }
}

/** No item is active where no name was started, or where it is written already: Enter is a new line there. */
function openAt({ value, selectionStart, selectionEnd }: HTMLTextAreaElement, names: Names): OpenList | undefined {
  if (selectionStart !== selectionEnd) return undefined
  const completion = complete(value, selectionStart, names)
  const first = completion?.items[0]
  if (!completion || !first) return undefined
  const isWritten = first.label === completion.prefix
  if (isWritten && completion.total === 1 && first.kind !== 'function') return undefined
  return { completion, active: completion.prefix === '' || isWritten ? -1 : 0 }
}

function step({ completion: { items }, active }: OpenList, by: 1 | -1): number {
  if (active < 0) return by > 0 ? 0 : items.length - 1
  return (active + by + items.length) % items.length
}

/** As if typed, so that it can be undone. `execCommand` is the only way to that; a browser without it replaces all the same. */
function replaceText(textarea: HTMLTextAreaElement, { from, to }: Completion, text: string): void {
  textarea.focus()
  textarea.setSelectionRange(from, to)
  if (!document.execCommand('insertText', false, text)) textarea.setRangeText(text, from, to, 'end')
}
