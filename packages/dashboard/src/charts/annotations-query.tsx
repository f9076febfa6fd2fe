/** The field for the query whose rows are shown on the charts like annotations. */
import { useEffect, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { closeMenu } from '../parts/menu.tsx'

export function AnnotationsQuery() {
  const { annotationsQuery } = view.value
  const [draft, setDraft] = useState(annotationsQuery)
  useEffect(() => setDraft(annotationsQuery), [annotationsQuery])
  const mark = (form: Element, query: string) => {
    navigate({ annotationsQuery: query.trim() })
    closeMenu(form)
  }
  return (
    <form
      class="annotations-query"
      onSubmit={(event) => {
        event.preventDefault()
        mark(event.currentTarget, draft)
      }}
    >
      <label for="annotations-query">Annotations from a query</label>
      <textarea
        id="annotations-query"
        class="mono"
        rows={3}
        value={draft}
        spellcheck={false}
        placeholder={"['web'] | where status >= 500\n| project _time, title = path"}
        aria-describedby="annotations-query-hint"
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      />
      <span id="annotations-query-hint" class="hint">
        Each row is shown at its <code>_time</code> with its <code>title</code>.
      </span>
      <div class="row">
        <button type="submit" disabled={draft.trim() === annotationsQuery}>
          Apply
        </button>
        {annotationsQuery !== '' && (
          <button type="button" class="quiet" onClick={({ currentTarget }) => mark(currentTarget, '')}>
            Remove
          </button>
        )}
      </div>
    </form>
  )
}
