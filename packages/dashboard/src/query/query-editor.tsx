/**
 * A query being written: a plain textarea with completion, and what is wrong with it below. It holds the draft; what is run and
 * shown is its owner's.
 */
import './query.css'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { AnswerError, describeError } from '../service/request.ts'
import { type Completion, complete } from './completion.ts'
import type { Item } from './item.ts'
import { QueryError } from './query-error.tsx'
import { optionId, Suggestions } from './suggestions.tsx'
import { useNames } from './use-names.ts'

export interface QueryEditorProps {
  /** The query that was run last; the draft begins with it, and again whenever another one comes. */
  apl: string
  isRunning: boolean
  /** What came of `apl`; `undefined` if it went well. */
  error: unknown
  /** Names of all datasets. */
  datasets: readonly string[]
  onRun: (apl: string) => void
  onClose: () => void
}

interface Open {
  completion: Completion
  active: number
}

export function QueryEditor({ apl, isRunning, error, datasets, onRun, onClose }: QueryEditorProps) {
  const id = useId()
  const textarea = useRef<HTMLTextAreaElement>(null)
  const [draft, setDraft] = useState(apl)
  const [open, setOpen] = useState<Open>()
  const { names, error: namesError } = useNames(draft, datasets)
  const ran = useRef(apl)
  /** The list is wanted: somebody typed or asked for it, and did nothing else since. Names may arrive only then. */
  const isWanted = useRef(false)

  useEffect(() => {
    if (apl !== ran.current) {
      setDraft(apl)
      close()
    }
    ran.current = apl
  }, [apl])
  useEffect(() => {
    // Opened to write one; a link that has one is there to be looked at.
    if (apl === '') textarea.current?.focus()
  }, [])
  useEffect(() => {
    if (isWanted.current) suggest()
  }, [names])

  const suggest = () => {
    isWanted.current = true
    if (textarea.current) setOpen(openAt(textarea.current, (text, caret) => complete(text, caret, names)))
  }
  const close = () => {
    isWanted.current = false
    setOpen(undefined)
  }
  const run = () => {
    close()
    if (draft.trim() === '') return
    ran.current = draft
    onRun(draft)
  }
  const take = ({ insert, caretBack }: Item) => {
    if (!open || !textarea.current) return
    replaceText(textarea.current, open.completion, insert)
    const caret = open.completion.from + insert.length - caretBack
    textarea.current.setSelectionRange(caret, caret)
    setDraft(textarea.current.value)
    close()
  }
  const goTo = (offset: number) => {
    // In this order: the field scrolls to its caret when it gets the focus.
    textarea.current?.setSelectionRange(offset, offset)
    textarea.current?.focus()
  }
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const did = pressKey(event, { open, isDirty: draft !== apl, setOpen, suggest, close, run, take, onClose })
    if (!did) return
    event.preventDefault()
    // An Escape that closed the list closes nothing around it.
    event.stopPropagation()
  }

  const listId = `${id}-list`
  const isInvalid = error instanceof AnswerError && error.detail !== undefined
  return (
    <form
      class="query card"
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
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
          aria-describedby={`${id}-keys${error ? ` ${id}-error` : ''}`}
          onInput={(event) => {
            setDraft(event.currentTarget.value)
            if (event.inputType?.startsWith('insertFrom')) close()
            else suggest()
          }}
          onKeyDown={press}
          onClick={() => (draft === '' ? suggest() : close())}
          onBlur={close}
        />
        {open && <Suggestions id={listId} completion={open.completion} active={open.active} textarea={textarea} onTake={take} />}
      </div>
      <p class="visually-hidden" role="status">
        {open && countOf(open.completion)}
      </p>
      <div class="row">
        <button type="submit" class="primary" disabled={draft.trim() === ''}>
          Run
        </button>
        <button type="button" onClick={onClose}>
          Close the query
        </button>
        <span id={`${id}-keys`} class="hint query-keys">
          Ctrl+Enter runs, Ctrl+Space lists names.
        </span>
        {isRunning && (
          <span class="hint" role="status">
            Running…
          </span>
        )}
      </div>
      <div id={`${id}-error`}>
        <QueryError error={error} text={apl} onGo={goTo} />
      </div>
      {namesError !== undefined && <p class="hint">Some names cannot be completed: {describeError(namesError)}</p>}
    </form>
  )
}

/** Nothing is chosen where nothing is begun, or where all is written: Enter is a new line there. */
function openAt(
  { value, selectionStart, selectionEnd }: HTMLTextAreaElement,
  completeAt: (text: string, caret: number) => Completion | undefined,
): Open | undefined {
  if (selectionStart !== selectionEnd) return undefined
  const completion = completeAt(value, selectionStart)
  const first = completion?.items[0]
  if (!completion || !first) return undefined
  const isWritten = first.label === completion.prefix
  if (isWritten && completion.total === 1 && first.kind !== 'function') return undefined
  return { completion, active: completion.prefix === '' || isWritten ? -1 : 0 }
}

interface Keyed {
  open: Open | undefined
  isDirty: boolean
  setOpen: (open: Open) => void
  suggest: () => void
  close: () => void
  run: () => void
  take: (item: Item) => void
  onClose: () => void
}

/** @returns whether the key is used up */
function pressKey(event: KeyboardEvent, { open, isDirty, setOpen, suggest, close, run, take, onClose }: Keyed): boolean {
  const { key } = event
  const isControl = event.ctrlKey || event.metaKey
  if (isControl && key === 'Enter') run()
  else if (event.ctrlKey && key === ' ') suggest()
  else if (key === 'Escape' && open) close()
  // Nothing is lost: the draft is what was run.
  else if (key === 'Escape' && !isDirty) onClose()
  else if (!open || isControl || event.altKey || event.shiftKey) return false
  else if (key === 'ArrowDown' || key === 'ArrowUp') setOpen({ ...open, active: step(open, key === 'ArrowDown' ? 1 : -1) })
  else if (key === 'Enter' || key === 'Tab') {
    const item = open.completion.items[open.active]
    if (item) take(item)
    return item !== undefined
  } else {
    if (['ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'].includes(key)) close()
    return false
  }
  return true
}

/** Around the ends. */
function step({ completion: { items }, active }: Open, by: 1 | -1): number {
  if (active < 0) return by > 0 ? 0 : items.length - 1
  return (active + by + items.length) % items.length
}

/** As if typed, so that it can be undone. `execCommand` is the only way to that; a browser without it replaces all the same. */
function replaceText(textarea: HTMLTextAreaElement, { from, to }: Completion, text: string): void {
  textarea.focus()
  textarea.setSelectionRange(from, to)
  if (!document.execCommand('insertText', false, text)) textarea.setRangeText(text, from, to, 'end')
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
