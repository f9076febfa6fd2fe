/** The page of saved views: their list, or the charts of the one that the address names. */
import './views.css'
import { formatTimes } from '../address/format-time.ts'
import { view } from '../address/navigation.ts'
import { DEFAULT_VIEW } from '../address/view.ts'
import { Moment } from '../parts/moment.tsx'
import { ViewLink } from '../parts/view-link.tsx'
import { nameRange } from '../range/range-menu.tsx'
import type { Resource } from '../resources/resource.ts'
import { ResourceSection } from '../resources/resource-page.tsx'
import { type SavedView, savedViewRequests } from '../service/saved-views.ts'
import { Board } from './board.tsx'
import { NAME } from './name-form.tsx'
import { fromSaved } from './saved-view.ts'

const VIEWS: Resource<SavedView> = {
  title: 'Saved views',
  noun: 'saved view',
  about:
    'A saved view keeps charts with their range under a name, for everybody whose token may read it. “Saved views” in Explore creates one from what is there, and adds charts to another.',
  permission: 'views',
  requests: savedViewRequests,
  link: (saved) => fromSaved(saved, { ...DEFAULT_VIEW, zone: view.value.zone }),
  sentence: describe,
  columns: [
    { name: 'Range', cell: (saved) => nameRange(saved.startTime, saved.endTime, view.value.zone) ?? formatSaved(saved) },
    { name: 'Changed', cell: ({ updatedAt }) => <Moment time={updatedAt} /> },
  ],
  none: () => (
    <p class="card">
      There are no saved views yet. <ViewLink to={DEFAULT_VIEW}>Go to Explore</ViewLink>, and choose “Save this view as…” under
      “Saved views”.
    </p>
  ),
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
    return `${charts.length === 1 ? '1 chart' : `${charts.length} charts`}: ${charts.map(({ title }) => title).join(', ')}`
  if (aplQuery !== '') return aplQuery
  return datasets.length > 0 ? `events of ${datasets.join(', ')}` : 'the first datasets'
}

/** @returns the times of a range that has no name; a moving range is shown as it was typed */
function formatSaved({ startTime, endTime }: SavedView): string {
  const [startMs, endMs] = [Date.parse(startTime), Date.parse(endTime)]
  return Number.isNaN(startMs + endMs) ? `${startTime} – ${endTime}` : formatTimes(startMs, endMs, view.value.zone)
}
