/** The page of saved views. */

import { useState } from 'preact/hooks'
import { formatTimes } from '../address/format-time.ts'
import { view } from '../address/navigation.ts'
import { DEFAULT_VIEW } from '../address/view.ts'
import { Act } from '../parts/act.tsx'
import { Failure } from '../parts/failure.tsx'
import { useLostFocus } from '../parts/focus.ts'
import { Moment } from '../parts/moment.tsx'
import { Permitted } from '../parts/permitted.tsx'
import { TableHead } from '../parts/table-head.tsx'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { ViewLink } from '../parts/view-link.tsx'
import { nameRange } from '../range/range-menu.tsx'
import { type SavedView, savedViewRequests } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import { fromSaved } from './saved-view.ts'
import { DeleteView, RenameView } from './saved-view-questions.tsx'
import '../parts/listing.css'
import './views.css'
import { Board } from './board.tsx'

type Asked = { to: 'rename' | 'delete'; saved: SavedView }

function ViewTable() {
  const [version, refresh] = useRefresh()
  const [asked, ask] = useState<Asked>()
  const { data, error, isLoading } = useLoad(savedViewRequests.list, [version])
  const heading = useLostFocus<HTMLHeadingElement>(data?.length ?? 0)
  const question = asked && {
    saved: asked.saved,
    onClose: () => ask(undefined),
    onDone: () => {
      ask(undefined)
      refresh()
    },
  }
  return (
    <div class="views listing" aria-busy={isLoading}>
      <h1 ref={heading} tabIndex={-1}>
        Views
      </h1>
      <p class="hint">
        A view keeps charts with their range under a name, for everybody whose token may read it. “Saved views” on the page of
        charts makes one of what is there, and adds it to one that there is.
      </p>
      <Failure error={error} onRetry={refresh} />
      {!data && isLoading && <p class="hint">Loading…</p>}
      {data?.length === 0 && (
        <p class="card empty">
          There are no saved views yet. <ViewLink to={DEFAULT_VIEW}>Go to the charts</ViewLink>, and choose “Save this view as…”
          under “Saved views”.
        </p>
      )}
      {data && data.length > 0 && <Table list={data} onAsk={ask} />}
      {question && asked.to === 'rename' && <RenameView {...question} />}
      {question && asked.to === 'delete' && <DeleteView {...question} />}
    </div>
  )
}

function Table({ list, onAsk }: { list: readonly SavedView[]; onAsk: (asked: Asked) => void }) {
  const byName = [...list].sort((one, other) => one.name.localeCompare(other.name))
  return (
    <table class="card">
      <TableHead names={['Name', 'Shows', 'Range', 'Changed']} acts="Rename or delete" />
      <tbody>
        {byName.map((saved) => (
          <Row key={saved.id} saved={saved} onAsk={(to) => onAsk({ to, saved })} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ saved, onAsk }: { saved: SavedView; onAsk: (to: Asked['to']) => void }) {
  const { name, startTime, endTime, updatedAt } = saved
  return (
    <tr>
      <th scope="row">
        <ViewLink to={fromSaved(saved, { ...DEFAULT_VIEW, zone: view.value.zone })}>
          <span class="clip">{name}</span>
        </ViewLink>
      </th>
      <td data-label="Shows">
        <span class="clip shows">{describe(saved)}</span>
      </td>
      <td data-label="Range">{nameRange(startTime, endTime, view.value.zone) ?? formatSaved(saved)}</td>
      <td data-label="Changed">
        <Moment time={updatedAt} />
      </td>
      <td>
        <span class="row">
          {may('views|update') && <Act words="Rename" on={name} onClick={() => onAsk('rename')} />}
          {may('views|delete') && <Act words="Delete" on={name} isDangerous onClick={() => onAsk('delete')} />}
        </span>
      </td>
    </tr>
  )
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

export function Views() {
  const { savedView } = view.value
  return (
    <Permitted title="Views" what="saved views" permission="views|read">
      {savedView === '' ? <ViewTable /> : <Board key={savedView} id={savedView} />}
    </Permitted>
  )
}
