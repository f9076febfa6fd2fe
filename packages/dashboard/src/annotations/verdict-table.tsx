/** The metrics of a comparison as they are stored, what carries their changes, and the times that were compared. */
import { listFailing, type ReportRow, restOf, rowsOf } from '@deployment-annotations/compare/report'
import type { VerdictDetails } from '@deployment-annotations/contract/annotation'
import { formatClock } from '../address/format-time.ts'
import { view } from '../address/navigation.ts'
import { DEFAULT_VIEW } from '../address/view.ts'
import { ViewLink } from '../parts/view-link.tsx'

export function VerdictTable({ details }: { details: VerdictDetails }) {
  const { windows, notes } = details
  const clock = (time: string) => formatClock(time, view.value.zone, Date.now())
  const spanOf = ({ startTime, endTime }: typeof windows.after) => `${clock(startTime)} to ${clock(endTime)}`
  return (
    <>
      <table class="verdict-table">
        <tbody>
          {rowsOf(details).map((row, at) => (
            // Two charts of a view may have one name.
            <Row key={`${at} ${row.name}`} {...row} />
          ))}
        </tbody>
      </table>
      {listFailing(details).map(({ text, view: failing }) => (
        <p key={text}>
          <ViewLink to={{ ...DEFAULT_VIEW, ...failing, zone: view.value.zone }}>{text}</ViewLink>
        </p>
      ))}
      <p class="hint">
        {`${spanOf(windows.before)} compared with ${spanOf(windows.after)}. ${[restOf(details), ...notes].join(' ')}`.trim()}
      </p>
    </>
  )
}

function Row({ name, isChanged, before, after, change, lack, carriers }: ReportRow) {
  return (
    <tr class={isChanged ? 'is-told' : ''}>
      <th scope="row">
        {name}
        {carriers.map(({ field, value }) => (
          <code key={field} class="chip">
            {field} {value}
          </code>
        ))}
      </th>
      <td>
        {before} → {after}
      </td>
      <td>
        {change} {lack !== '' && <span class="hint">{lack}</span>}
      </td>
    </tr>
  )
}
