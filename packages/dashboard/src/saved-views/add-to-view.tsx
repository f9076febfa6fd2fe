/** Adds the charts on the page to a saved view, or starts a new one with them. */
import { useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Select } from '../parts/select.tsx'
import { type SavedView, savedViewRequests } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import { NameField } from './name-form.tsx'
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
  const options = choices.map((saved) => [saved.id, saved.name] as const)
  const [title, setTitle] = useState('')
  const [name, setName] = useState('')
  const add = async () => {
    const charts = chartsOf(view.value, charted, title.trim())
    if (charts.length === 0) throw new Error('There is no chart to add: run a query, or choose a dataset.')
    const saved = id === NEW ? await begin(name.trim(), charts) : await append(id, charts)
    onClose()
    navigate(boardOf(saved, view.value))
  }
  return (
    <FormDialog title="Add to a view" action="Add" task={add} onClose={onClose}>
      <label for="add-view">View</label>
      <Select
        id="add-view"
        value={id}
        options={may('views|create') ? [...options, [NEW, 'A new one']] : options}
        onPick={setId}
      />
      {id === NEW && <NameField id="add-name" label="Name of the new view" name={name} onName={setName} />}
      {apl === '' ? (
        <p class="hint">Each dataset on the page becomes a chart: {charted.join(', ') || 'there is none'}.</p>
      ) : (
        <NameField id="add-title" label="Title of the chart" name={title} onName={setTitle} />
      )}
    </FormDialog>
  )
}

function begin(name: string, charts: SavedView['charts']): Promise<SavedView> {
  return savedViewRequests.create({ name, ...toSaved(view.value, []), aplQuery: '', filters: [], order: [], charts })
}

/** Adds to the view as it is now, because it may have changed since it was listed. */
async function append(id: string, charts: SavedView['charts']): Promise<SavedView> {
  const saved = await savedViewRequests.get(id, new AbortController().signal)
  const { version } = saved
  const ofOne = { aplQuery: '', datasets: [], filters: [], order: [] }
  return savedViewRequests.change(id, { charts: [...chartsOfSaved(saved), ...charts], ...ofOne, version })
}
