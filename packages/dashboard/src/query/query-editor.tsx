/**
 * A query being written: a field with completion, and what is wrong with the query below it. It holds the draft; what is run and
 * shown is its owner's.
 */
import './query.css'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { AnswerError, describeError } from '../service/request.ts'
import { CallHelp } from './call-help.tsx'
import { CopyQuery } from './copy-query.tsx'
import { pressKey } from './editor-keys.ts'
import { Examples } from './examples.tsx'
import { QueryError } from './query-error.tsx'
import { QueryField } from './query-field.tsx'
import { rememberQuery } from './recent-queries.ts'
import { RecentQueries } from './recent-queries-menu.tsx'
import { RunningTime } from './running-time.tsx'
import { unfinished } from './unfinished.ts'
import { useCompletion } from './use-completion.ts'
import { useNames } from './use-names.ts'

interface QueryEditorProps {
  /** The query that was run last; the draft starts with it, and again whenever another one comes. */
  apl: string
  isRunning: boolean
  /** Why `apl` failed; `undefined` if it went well. */
  error: unknown
  /** Names of all datasets. */
  datasets: readonly string[]
  onRun: (apl: string) => void
  /** Gives the query up that is running. */
  onCancel: () => void
  onClose: () => void
}

export function QueryEditor({ apl, isRunning, error, datasets, onRun, onCancel, onClose }: QueryEditorProps) {
  const id = useId()
  const textarea = useRef<HTMLTextAreaElement>(null)
  const [draft, setDraft] = useState(() => unfinished.of(apl))
  const { names, error: namesError } = useNames(draft, datasets)
  const completion = useCompletion({ textarea, names, onWritten: setDraft })
  const run = useRun({ apl, draft, setDraft, closeList: completion.close, onRun })
  useEffect(() => {
    // Opened to write one; a link that has one is there to be looked at.
    if (apl === '') textarea.current?.focus()
  }, [])
  const take = (example: string) => {
    setDraft(example)
    textarea.current?.focus()
  }
  const close = () => {
    unfinished.keep('', '')
    onClose()
  }
  const press = (event: KeyboardEvent) => {
    if (!pressKey(event, { completion, isDirty: draft !== apl, run, onClose: close })) return
    event.preventDefault()
    // An Escape that closed the list closes nothing around it.
    event.stopPropagation()
  }
  return (
    <form
      class="query card"
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <CallHelp id={`${id}-call`} textarea={textarea} functions={names.functions} />
      <QueryField
        id={id}
        textarea={textarea}
        draft={draft}
        completion={completion}
        isInvalid={error instanceof AnswerError && error.detail !== undefined}
        describedBy={`${id}-keys ${id}-call${error ? ` ${id}-error` : ''}`}
        onDraft={setDraft}
        onKeyDown={press}
      />
      {draft === '' && <Examples dataset={datasets[0] ?? 'web'} onTake={take} />}
      <EditorButtons
        keysId={`${id}-keys`}
        draft={draft}
        isRunning={isRunning}
        onCancel={onCancel}
        onClose={close}
        onTake={take}
      />
      <div id={`${id}-error`}>
        <QueryError error={error} text={apl} onGo={(offset) => goTo(textarea.current, offset)} onMend={setDraft} />
      </div>
      {namesError !== undefined && <p class="hint">Some names cannot be completed: {describeError(namesError)}</p>}
    </form>
  )
}

interface RunOptions extends Pick<QueryEditorProps, 'apl' | 'onRun'> {
  draft: string
  setDraft: (draft: string) => void
  closeList: () => void
}

/** @returns what runs the draft; another query that comes from elsewhere, such as the way back, takes the draft's place */
function useRun({ apl, draft, setDraft, closeList, onRun }: RunOptions): () => void {
  const ran = useRef(apl)
  useEffect(() => unfinished.keep(apl, draft), [apl, draft])
  useEffect(() => {
    if (apl !== ran.current) {
      setDraft(apl)
      closeList()
    }
    ran.current = apl
  }, [apl])
  return () => {
    closeList()
    if (draft.trim() === '') return
    ran.current = draft
    rememberQuery(draft)
    onRun(draft)
  }
}

function goTo(textarea: HTMLTextAreaElement | null, offset: number): void {
  // In this order: the field scrolls to its caret when it gets the focus.
  textarea?.setSelectionRange(offset, offset)
  textarea?.focus()
}

interface EditorButtonsProps {
  /** Of the hint about keys, which the field refers to. */
  keysId: string
  draft: string
  isRunning: boolean
  onCancel: () => void
  onClose: () => void
  /** A query of before is to be written into the field. */
  onTake: (query: string) => void
}

function EditorButtons({ keysId, draft, isRunning, onCancel, onClose, onTake }: EditorButtonsProps) {
  const isEmpty = draft.trim() === ''
  return (
    <div class="row">
      <button type="submit" class="primary" disabled={isEmpty}>
        Run
      </button>
      <button type="button" onClick={onClose}>
        Close the query
      </button>
      <RecentQueries onTake={onTake} />
      {!isEmpty && <CopyQuery apl={draft} />}
      <span id={keysId} class="hint query-keys">
        Ctrl+Enter runs, Ctrl+Space lists names.
      </span>
      {isRunning && (
        <>
          <RunningTime />
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        </>
      )}
    </div>
  )
}
