/** The field of a query, with the signature of the function that is being written. */
import { useEffect, useRef } from 'preact/hooks'
import type { Names } from './completion.ts'
import { type Editor, type EditorEvents, openEditor } from './editor/open-editor.ts'
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

interface QueryFieldProps extends EditorEvents {
  /** The text that the editor starts with; later changes are reported by it. */
  draft: string
  names: Names
  isInvalid: boolean
  /** The description for people who cannot see the surroundings of the field. */
  description: string
  /** Called with the editor when it is open, and with `undefined` when it is removed. */
  onEditor: (editor: Editor | undefined) => void
}

export function QueryField({ draft, names, isInvalid, description, onEditor, ...events }: QueryFieldProps) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(undefined)
  // The editor is opened once and calls the latest handlers.
  const listening = useRef(events)
  listening.current = events
  useEffect(() => {
    if (!host.current) return
    editor.current = openEditor(host.current, draft, names, listening)
    onEditor(editor.current)
    return () => {
      editor.current?.close()
      onEditor(undefined)
    }
  }, [])
  useEffect(() => editor.current?.know(names), [names])
  useEffect(
    () => editor.current?.describe({ 'aria-label': 'Query', 'aria-invalid': String(isInvalid), 'aria-description': description }),
    [isInvalid, description],
  )
  return (
    <>
      <span class="query-label" aria-hidden="true" onClick={() => editor.current?.focus()}>
        Query
      </span>
      <div ref={host} class="query-field" />
    </>
  )
}
