/** The list of completions below the caret. The textarea keeps the focus and its keys; this shows, and takes taps. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { measurePlace } from './caret-position.ts'
import type { Completion } from './completion.ts'
import type { Item } from './item.ts'

interface SuggestionsProps {
  id: string
  completion: Completion
  /** Index of the item that Enter takes; -1 for none. */
  active: number
  textarea: RefObject<HTMLTextAreaElement | null>
  onTake: (item: Item) => void
}

export function Suggestions({ id, completion, active, textarea, onTake }: SuggestionsProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!list.current || !textarea.current) return
    const { left, bottom } = measurePlace(textarea.current, completion.from)
    const room = textarea.current.offsetWidth - list.current.offsetWidth
    list.current.style.left = `${Math.max(0, Math.min(left, room))}px`
    list.current.style.top = `${Math.max(0, Math.min(bottom, textarea.current.offsetHeight)) + 2}px`
  }, [completion])
  useLayoutEffect(() => {
    document.getElementById(optionId(id, active))?.scrollIntoView({ block: 'nearest' })
  }, [id, active, completion])

  return (
    // A press would take the focus out of the textarea, and a phone's keyboard away with it.
    <div
      id={id}
      ref={list}
      class="suggestions"
      role="listbox"
      aria-label="Completions"
      tabIndex={-1}
      onMouseDown={(event) => event.preventDefault()}
    >
      {completion.items.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the textarea's, which has the focus
        <div
          key={`${item.kind} ${item.insert}`}
          id={optionId(id, index)}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          onClick={() => onTake(item)}
        >
          <bdi>{item.label}</bdi> <span class="hint">{item.detail}</span>
        </div>
      ))}
    </div>
  )
}

export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`
}
