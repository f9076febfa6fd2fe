/** What keys do in the editor of queries, besides writing. */
import type { CompletionList } from './use-completion.ts'

interface KeyTargets {
  completion: CompletionList
  /** The draft is another query than the one that was run. */
  isDirty: boolean
  run: () => void
  onClose: () => void
}

const CARET_KEYS = ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown']

/** @returns whether the key is used up */
export function pressKey(event: KeyboardEvent, { completion, isDirty, run, onClose }: KeyTargets): boolean {
  const { open, suggest, close, move, take } = completion
  const { key } = event
  // The keys of an input method choose what it writes.
  if (event.isComposing) return false
  const isControl = event.ctrlKey || event.metaKey
  if (isControl && key === 'Enter') run()
  else if (event.ctrlKey && key === ' ') suggest()
  else if (key === 'Escape' && open) close()
  // Nothing is lost: the draft is what was run.
  else if (key === 'Escape' && !isDirty) onClose()
  else if (!open || isControl || event.altKey || event.shiftKey) return false
  else if (key === 'ArrowDown' || key === 'ArrowUp') move(key === 'ArrowDown' ? 1 : -1)
  else if (key === 'Enter' || key === 'Tab') {
    const item = open.completion.items[open.active]
    if (item) take(item)
    return item !== undefined
  } else {
    if (CARET_KEYS.includes(key)) close()
    return false
  }
  return true
}
