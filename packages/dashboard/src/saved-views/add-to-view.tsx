/** Adds the charts on the page to a saved view, or starts a new one with them. */
import { SAVED_VIEW_NAME_POINTS_MAX } from '@deployment-annotations/contract/saved-view'
import { useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Failure } from '../parts/failure.tsx'
import { FormButtons } from '../parts/form-buttons.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { changeSavedView, createSavedView, getSavedView, type SavedView } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import { boardOf, chartsOf, chartsOfSaved, toSaved } from './saved-view.ts'

interface AddToViewProps {
  list: readonly SavedView[]
  /** The charted datasets. */
  charted: readonly string[]
  onClose: () => void
}

/** Stands for a new view in place of an id. */
const NEW = ''

export function AddToView({ list, charted, onClose }: AddToViewProps) {
  const { apl } = view.value
  const choices = may('views|update') ? [...list].sort((one, other) => one.name.localeCompare(other.name)) : []
  const [id, setId] = useState(choices[0]?.id ?? NEW)
  const [title, setTitle] = useState('')
  const [name, setName] = useState('')
  const { error, isBusy, attempt } = useAttempt()
  const add = async () => {
    const charts = chartsOf(view.value, charted, title.trim())
    if (charts.length === 0) throw new Error('There is no chart to add: run a query, or choose a dataset.')
    const saved = id === NEW ? await begin(name.trim(), charts) : await append(id, charts)
    onClose()
    navigate(boardOf(saved, view.value))
  }
  return (
    <Dialog title="Add to a view" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(add)
        }}
      >
        <label for="add-view">View</label>
        <select id="add-view" value={id} onChange={({ currentTarget }) => setId(currentTarget.value)}>
          {choices.map((saved) => (
            <option key={saved.id} value={saved.id}>
              {saved.name}
            </option>
          ))}
          {may('views|create') && <option value={NEW}>A new one</option>}
        </select>
        {id === NEW && <TextField id="add-name" label="Name of the new view" text={name} onText={setName} />}
        {apl === '' ? (
          <p class="hint">Each dataset on the page becomes a chart: {charted.join(', ') || 'there is none'}.</p>
        ) : (
          <TextField id="add-title" label="Title of the chart" text={title} onText={setTitle} />
        )}
        <Failure error={error} />
        <FormButtons action="Add" isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  )
}

interface TextFieldProps {
  id: string
  label: string
  text: string
  onText: (text: string) => void
}

function TextField({ id, label, text, onText }: TextFieldProps) {
  return (
    <>
      <label for={id}>{label}</label>
      <input
        id={id}
        required
        // A name needs a character other than a space.
        pattern=".*\S.*"
        maxLength={SAVED_VIEW_NAME_POINTS_MAX}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    </>
  )
}

function begin(name: string, charts: SavedView['charts']): Promise<SavedView> {
  return createSavedView({ name, ...toSaved(view.value, []), aplQuery: '', filters: [], order: [], charts })
}

/** Adds to the view as it is now, because it may have changed since it was listed. */
async function append(id: string, charts: SavedView['charts']): Promise<SavedView> {
  const saved = await getSavedView(id, new AbortController().signal)
  const { version } = saved
  const ofOne = { aplQuery: '', datasets: [], filters: [], order: [] }
  return changeSavedView(id, { charts: [...chartsOfSaved(saved), ...charts], ...ofOne, version })
}
