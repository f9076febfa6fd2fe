/**
 * The editor of a query: a field with completion, and the error of the query below it. It holds the draft; its owner holds the query
 * that was run.
 */
import './query.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Form } from '../parts/form.tsx'
import { AnswerError, describeError } from '../service/request.ts'
import { writeCurl } from './as-command.ts'
import type { Editor } from './editor/open-editor.ts'
import { QueryBuilder } from './query-builder.tsx'
import { QueryError } from './query-error.tsx'
import { CallHelp, QueryField } from './query-field.tsx'
import { useNames } from './use-names.ts'
import { readCall, unfinished } from './written-call.ts'

const KEYS = 'Ctrl+Enter runs, Ctrl+Space lists names.'

interface QueryEditorProps {
  /** The query that was run last; the draft starts with it, and again whenever it changes. */
  apl: string
  isRunning: boolean
  /** The error of `apl`; `undefined` if it succeeded. */
  error: unknown
  /** The names of all datasets. */
  datasets: readonly string[]
  onRun: (apl: string) => void
  /** @returns the query as the page sends it, with its filters, so that a copied query asks the same */
  asAsked: (apl: string) => string
  onCancel: () => void
  onClose: () => void
}

export function QueryEditor({ apl, isRunning, error, datasets, onRun, asAsked, onCancel, onClose }: QueryEditorProps) {
  const editor = useRef<Editor>(undefined)
  const [draft, setDraft] = useState(() => unfinished.of(apl))
  const [caret, setCaret] = useState(0)
  const { names, error: namesError } = useNames(draft, datasets)
  const call = readCall(draft, caret, names.functions)
  const rewrite = (text: string) => {
    setDraft(text)
    editor.current?.write(text)
  }
  const shown = useRef(apl)
  useEffect(() => {
    unfinished.keep(apl, draft)
    // Another query from elsewhere, such as the browser's history, replaces the draft.
    if (apl !== shown.current && apl !== draft) rewrite(apl)
    shown.current = apl
  }, [apl, draft])
  const run = (text: string) => {
    if (text.trim() !== '') onRun(text)
  }
  const close = () => {
    unfinished.keep('', '')
    onClose()
  }
  const leave = (text: string) => {
    // Nothing is lost, because the draft was run.
    if (text !== apl) return false
    close()
    return true
  }
  const isInvalid = error instanceof AnswerError && error.detail !== undefined
  return (
    <Form class="query stack card" onSubmit={() => run(draft)}>
      <CallHelp call={call} />
      <QueryField
        draft={draft}
        names={names}
        isInvalid={isInvalid}
        description={[KEYS, call?.signature, isInvalid && describeError(error)].filter(Boolean).join(' ')}
        onText={setDraft}
        onCaret={setCaret}
        onRun={run}
        onEscape={leave}
        onEditor={(opened) => {
          editor.current = opened
          // The editor takes the focus if it was opened to write a query; a link with a query is there to be read. It does not take the
          // focus from another element.
          if (apl === '' && document.activeElement === document.body) opened?.focus()
        }}
      />
      <QueryBuilder datasets={datasets} fields={names.fields} draft={draft} onBuild={rewrite} />
      <EditorButtons draft={draft} asAsked={asAsked} isRunning={isRunning} onCancel={onCancel} onClose={close} />
      <QueryError error={error} text={apl} onGo={(offset) => editor.current?.goTo(offset)} onMend={rewrite} />
      {namesError !== undefined && <p class="hint">Some names cannot be completed: {describeError(namesError)}</p>}
    </Form>
  )
}

interface EditorButtonsProps extends Pick<QueryEditorProps, 'asAsked' | 'isRunning' | 'onCancel' | 'onClose'> {
  draft: string
}

function EditorButtons({ draft, asAsked, isRunning, onCancel, onClose }: EditorButtonsProps) {
  const { startTime, endTime } = view.value
  const isEmpty = draft.trim() === ''
  return (
    <div class="row">
      <button type="submit" class="primary" disabled={isEmpty}>
        Run
      </button>
      <button type="button" onClick={onClose}>
        Close the query
      </button>
      {!isEmpty && (
        <CopyButton label="Copy as curl" text={writeCurl({ apl: asAsked(draft), startTime, endTime }, location.origin)} />
      )}
      <span class="hint query-keys">{KEYS}</span>
      {isRunning && (
        <>
          <progress class="running" aria-label="The query runs" />
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        </>
      )}
    </div>
  )
}
