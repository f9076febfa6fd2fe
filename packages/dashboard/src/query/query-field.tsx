/** The field of a query, with the signature of the function that is being written. */
import { useEffect, useRef } from 'preact/hooks'
import { Failure } from '../parts/failure.tsx'
import { useLoad } from '../parts/use-load.ts'
import type { Names } from './completion.ts'
import type { Editor } from './editor/open-editor.ts'
import type { WrittenCall } from './written-call.ts'

export function CallHelp({ call }: { call: WrittenCall | undefined }) {
  if (!call) return null
  const { signature, from, to, example } = call
  return (
    <p class="query-call">
      <code>
        {signature.slice(0, from)}
        <b>{signature.slice(from, to)}</b>
        {signature.slice(to)}
      </code>
      {example && (
        <span class="hint">
          {example.call} = {example.gives}
        </span>
      )}
    </p>
  )
}

interface QueryFieldProps {
  /** The text that the editor starts with; later changes are reported by it. */
  draft: string
  names: Names
  isInvalid: boolean
  /** The description for people who cannot see the surroundings of the field. */
  description: string
  onDraft: (text: string) => void
  onCaret: (caret: number) => void
  onRun: (text: string) => void
  /** @returns whether it handled the key */
  onEscape: (text: string) => boolean
  /** Called with the editor when it is loaded, and with `undefined` when it is removed. */
  onEditor: (editor: Editor | undefined) => void
}

const GONE = 'The editor could not be loaded. Reload the page: the service may have been upgraded since it was opened.'

export function QueryField({ draft, names, isInvalid, description, onEditor, ...events }: QueryFieldProps) {
  const { data: loaded, error } = useLoad(() => import('./editor/open-editor.ts'), [])
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(undefined)
  // The editor is opened once and calls the latest handlers.
  const listening = useRef(events)
  listening.current = events
  useEffect(() => {
    if (!loaded || !host.current) return
    editor.current = loaded.openEditor(host.current, draft, names, {
      onText: (text) => listening.current.onDraft(text),
      onCaret: (caret) => listening.current.onCaret(caret),
      onRun: (text) => listening.current.onRun(text),
      onEscape: (text) => listening.current.onEscape(text),
    })
    onEditor(editor.current)
    return () => {
      editor.current?.close()
      onEditor(undefined)
    }
  }, [loaded])
  useEffect(() => editor.current?.know(names), [loaded, names])
  useEffect(
    () => editor.current?.describe({ 'aria-label': 'Query', 'aria-invalid': String(isInvalid), 'aria-description': description }),
    [loaded, isInvalid, description],
  )
  return (
    <>
      <span class="query-label" aria-hidden="true" onClick={() => editor.current?.focus()}>
        Query
      </span>
      <div ref={host} class="query-field" />
      {!loaded && !error && <pre class="query-field">{draft}</pre>}
      {error !== undefined && <Failure error={GONE} />}
    </>
  )
}
