/** The field for the query whose rows are shown on the charts like annotations. */
import { useEffect, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { closeMenu } from '../parts/menu.tsx'

export function MarksQuery() {
  const { marksQuery } = view.value
  const [draft, setDraft] = useState(marksQuery)
  useEffect(() => setDraft(marksQuery), [marksQuery])
  const mark = (form: Element, query: string) => {
    navigate({ marksQuery: query.trim() })
    closeMenu(form)
  }
  return (
    <form
      class="marks-query"
      onSubmit={(event) => {
        event.preventDefault()
        mark(event.currentTarget, draft)
      }}
    >
      <label for="marks-query">Annotations from a query</label>
      <textarea
        id="marks-query"
        class="mono"
        rows={3}
        value={draft}
        spellcheck={false}
        placeholder={"['web'] | where status >= 500\n| project _time, title = path"}
        aria-describedby="marks-query-hint"
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      />
      <span id="marks-query-hint" class="hint">
        Each row is shown at its <code>_time</code> with its <code>title</code>.
      </span>
      <div class="row">
        <button type="submit" disabled={draft.trim() === marksQuery}>
          Apply
        </button>
        {marksQuery !== '' && (
          <button type="button" class="quiet" onClick={({ currentTarget }) => mark(currentTarget, '')}>
            Remove
          </button>
        )}
      </div>
    </form>
  )
}
