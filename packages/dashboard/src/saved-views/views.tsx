/** The page of saved views: their list, or the charts of the one that the address names. */
import './views.css'
import { view } from '../address/navigation.ts'
import { DEFAULT_VIEW } from '../address/view.ts'
import { Moment } from '../parts/moment.tsx'
import type { Resource } from '../resources/resource.ts'
import { ResourceSection } from '../resources/resource-page.tsx'
import { type SavedView, savedViewRequests } from '../service/saved-views.ts'
import { Board } from './board.tsx'
import { NAME } from './save-form.tsx'
import { fromSaved } from './saved-view.ts'

const VIEWS: Resource<SavedView> = {
  title: 'Saved views',
  noun: 'saved view',
  about:
    'A saved view keeps charts with their range under a name, for everybody whose token may read it. “Saved views” in Explore saves what is there as a new one, or adds it to another.',
  permission: 'views',
  requests: savedViewRequests,
  link: (saved) => fromSaved(saved, { ...DEFAULT_VIEW, zone: view.value.zone }),
  sentence: describe,
  columns: [{ name: 'Changed', cell: ({ updatedAt }) => <Moment time={updatedAt} /> }],
  none: 'There are no saved views yet.',
  form: { fields: [NAME] },
  isMadeElsewhere: true,
  change: 'Rename',
  deletion: { about: 'It goes away for everybody. What is on the page stays.' },
}

export function Views() {
  const { savedView } = view.value
  return savedView === '' ? <ResourceSection resource={VIEWS} /> : <Board key={savedView} id={savedView} />
}

function describe({ charts, aplQuery, datasets }: SavedView): string {
  if (charts.length > 0)
    return `${charts.length} ${charts.length === 1 ? 'chart' : 'charts'}: ${charts.map(({ title }) => title).join(', ')}`
  if (aplQuery !== '') return aplQuery
  return datasets.length > 0 ? `events of ${datasets.join(', ')}` : 'the first datasets'
}
