/**
 * The field that a query is written in: a textarea that grows with its text, and the list of completions below the caret.
 * Deliberately not here: what keys do, and when the list opens.
 */
import type { RefObject } from 'preact'
import type { Completion } from './completion.ts'
import { optionId, Suggestions } from './suggestions.tsx'
import type { CompletionList } from './use-completion.ts'

interface QueryFieldProps {
  /** The ids of its elements start with it. */
  id: string
  textarea: RefObject<HTMLTextAreaElement | null>
  draft: string
  completion: CompletionList
  isInvalid: boolean
  /** Ids of the elements that describe it. */
  describedBy: string
  onDraft: (text: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}

export function QueryField({ id, textarea, draft, completion, isInvalid, describedBy, onDraft, onKeyDown }: QueryFieldProps) {
  const { open, suggest, close, take } = completion
  const listId = `${id}-list`
  return (
    <>
      <label for={`${id}-text`}>Query</label>
      <div class="query-field">
        <textarea
          id={`${id}-text`}
          ref={textarea}
          class="mono"
          rows={rowsOf(draft)}
          value={draft}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          aria-autocomplete="list"
          aria-controls={open ? listId : undefined}
          aria-activedescendant={open && open.active >= 0 ? optionId(listId, open.active) : undefined}
          aria-invalid={isInvalid}
          aria-describedby={describedBy}
          onInput={(event) => {
            onDraft(event.currentTarget.value)
            if (event.inputType?.startsWith('insertFrom')) close()
            else suggest()
          }}
          onKeyDown={onKeyDown}
          onClick={() => (draft === '' ? suggest() : close())}
          onBlur={close}
        />
        {open && <Suggestions id={listId} completion={open.completion} active={open.active} textarea={textarea} onTake={take} />}
      </div>
      <p class="visually-hidden" role="status">
        {open && countOf(open.completion)}
      </p>
    </>
  )
}

const ROWS_MIN = 3
const ROWS_MAX = 16

/** Lines that are wrapped count where the browser sizes the field by its content; see query.css. */
function rowsOf(text: string): number {
  return Math.min(ROWS_MAX, Math.max(ROWS_MIN, text.split('\n', ROWS_MAX).length))
}

function countOf({ items, total }: Completion): string {
  const count = total === 1 ? '1 completion' : `${total} completions`
  return items.length < total ? `${count}, the first ${items.length} listed` : count
}
