/** The field for the query whose rows are shown on the charts like annotations. */
import { useEffect, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { closeMenu, MenuButton } from '../parts/menu.tsx'

export function AnnotationsQuery() {
  const { annotationsQuery } = view.value
  const [draft, setDraft] = useState(annotationsQuery)
  useEffect(() => setDraft(annotationsQuery), [annotationsQuery])
  return (
    <Form
      class="stack annotations-query"
      onSubmit={(form) => {
        navigate({ annotationsQuery: draft.trim() })
        closeMenu(form)
      }}
    >
      <Field
        id="annotations-query"
        label="Annotations from a query"
        class="mono"
        rows={3}
        value={draft}
        spellcheck={false}
        placeholder={"['web'] | where status >= 500\n| project _time, title = path"}
        hint={
          <>
            Each row is shown at its <code>_time</code> with its <code>title</code>.
          </>
        }
        onText={setDraft}
      />
      <div class="row">
        <button type="submit" disabled={draft.trim() === annotationsQuery}>
          Apply
        </button>
        {annotationsQuery !== '' && <MenuButton onClick={() => navigate({ annotationsQuery: '' })}>Remove</MenuButton>}
      </div>
    </Form>
  )
}
