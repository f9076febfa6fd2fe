/** Saves what the page shows: as a new view, or as more charts of another one. */
import { SAVED_VIEW_NAME_POINTS_MAX } from '@deployment-annotations/contract/saved-view'
import { navigate, view } from '../address/navigation.ts'
import { Failure } from '../parts/failure.tsx'
import { useLoad } from '../parts/use-load.ts'
import type { FieldOf, FormState, Options } from '../resources/fields.ts'
import { inOrder } from '../resources/find.ts'
import { ResourceForm } from '../resources/resource-form.tsx'
import { type SavedView, savedViewRequests } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import { chartsOf, fromSaved, toSaved, withCharts } from './saved-view.ts'

/** A name needs a character other than a space. */
export const NAME: FieldOf = {
  name: 'name',
  label: 'Name',
  required: true,
  pattern: '^\\s*\\S.*$',
  maxLength: SAVED_VIEW_NAME_POINTS_MAX,
  write: (text) => text.trim(),
}

/** Stands for a new view in place of an id. */
const NEW = 'new'
const isNewView = ({ texts }: FormState) => texts.id === NEW

export interface SaveFormProps {
  /** The charted datasets. */
  charted: readonly string[]
  onClose: () => void
}

export function SaveForm({ charted, onClose }: SaveFormProps) {
  const { apl } = view.value
  const { data: list = [], error, isLoading } = useLoad(may('views|update') ? savedViewRequests.list : undefined, [])
  if (isLoading || error) return <Failure error={error} />
  const options: Options = [
    ...(may('views|create', charted) ? [[NEW, 'A new one'] as const] : []),
    ...inOrder(list).map(({ id, name }) => [id, name] as const),
  ]
  const fields: FieldOf[] = [
    { name: 'id', label: 'Saved view', kind: 'choice', options, initial: options[0]?.[0] ?? NEW },
    { ...NAME, isShown: isNewView },
    { ...NAME, name: 'title', label: 'Title of the chart', isShown: (form) => apl !== '' && !isNewView(form) },
  ]
  const save = async ({ id = NEW, name = '', title = '' }: Partial<Record<string, string>>) => {
    const saved = id === NEW ? await savedViewRequests.create({ name, ...toSaved(view.value, charted) }) : await add(id, title)
    onClose()
    navigate(fromSaved(saved, view.value))
  }
  /** Adds to the view as it is now, because it may have changed since it was listed. */
  const add = async (id: string, title: string): Promise<SavedView> => {
    const charts = chartsOf(view.value, charted, title)
    if (charts.length === 0) throw new Error('There is no chart to add: run a query, or choose a dataset.')
    const saved = await savedViewRequests.get(id, new AbortController().signal)
    return savedViewRequests.change(id, { ...withCharts(saved, charts), version: saved.version })
  }
  return <ResourceForm title="Save this view" form={{ fields }} isNew action="Save" task={save} onClose={onClose} />
}
