/** Adds the charts on the page to a saved view, or starts a new one with them. */
import { navigate, view } from '../address/navigation.ts'
import type { FieldOf, FormState, Options } from '../resources/fields.ts'
import { inOrder } from '../resources/find.ts'
import { ResourceForm } from '../resources/resource-form.tsx'
import { type SavedView, savedViewRequests } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import { NAME } from './name-form.tsx'
import { boardOf, chartsOf, chartsOfSaved, toSaved } from './saved-view.ts'

interface AddToViewProps {
  list: readonly SavedView[]
  /** The charted datasets. */
  charted: readonly string[]
  onClose: () => void
}

/** Stands for a new view in place of an id. */
const NEW = 'new'
const isNewView = ({ texts }: FormState) => texts.id === NEW

export function AddToView({ list, charted, onClose }: AddToViewProps) {
  const { apl } = view.value
  const choices = may('views|update') ? inOrder(list) : []
  const options: Options = [
    ...choices.map(({ id, name }) => [id, name] as const),
    ...(may('views|create') ? [[NEW, 'A new one'] as const] : []),
  ]
  const fields: FieldOf[] = [
    { name: 'id', label: 'Saved view', kind: 'choice', options, initial: options[0]?.[0] ?? NEW },
    { ...NAME, label: 'Name of the new view', isShown: isNewView },
    { ...NAME, name: 'title', label: 'Title of the chart', isShown: () => apl !== '' },
  ]
  const add = async ({ id, name = '', title = '' }: Partial<Record<string, string>>) => {
    const charts = chartsOf(view.value, charted, title)
    if (charts.length === 0) throw new Error('There is no chart to add: run a query, or choose a dataset.')
    const saved = id === undefined || id === NEW ? await begin(name, charts) : await append(id, charts)
    onClose()
    navigate(boardOf(saved, view.value))
  }
  return (
    <ResourceForm title="Add to a saved view" form={{ fields }} isNew action="Add" task={add} onClose={onClose}>
      {apl === '' && <p class="hint">Each dataset on the page becomes a chart: {charted.join(', ') || 'there is none'}.</p>}
    </ResourceForm>
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
