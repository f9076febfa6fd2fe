/** The table of releases: what became of each, in one sentence. A row leads to its release on the charts. */
import { view } from '../address/navigation.ts'
import { viewAround } from '../annotations/annotation-view.ts'
import { failingRequests } from '../annotations/failing-requests.ts'
import { Sign } from '../annotations/sign.tsx'
import { roundDuration, stateOf } from '../annotations/verdict.ts'
import { Moment } from '../parts/moment.tsx'
import { TableHead } from '../parts/table-head.tsx'
import { ViewLink } from '../parts/view-link.tsx'
import type { Row } from './rows.ts'

export function ReleaseTable({ rows, nowMs }: { rows: readonly Row[]; nowMs: number }) {
  return (
    <table class="release-table" aria-label="Releases">
      <TableHead names={['Release', 'What it did', 'Service', 'Environment', 'Ago', 'Who']} numbers={['Ago']} />
      <tbody>
        {rows.map((row) => (
          <ReleaseRow key={row.release.annotation.id} {...row} nowMs={nowMs} />
        ))}
      </tbody>
    </table>
  )
}

function ReleaseRow({ release, name, sentence, who, nowMs }: Row & { nowMs: number }) {
  const { annotation, service, environment, isHarmful } = release
  const state = stateOf(annotation, isHarmful)
  const failing = state === 'now' ? failingRequests(annotation) : undefined
  return (
    <tr class={`is-${state}`}>
      <th scope="row">
        <Sign state={state} />
        <ViewLink to={viewAround(annotation, view.value)}>{name}</ViewLink>
      </th>
      <td class="did">
        {sentence} {failing && <ViewLink to={failing.to}>{failing.words}</ViewLink>}
      </td>
      <td>{service}</td>
      <td>{environment}</td>
      <td class="number">
        <Moment time={annotation.time}>{roundDuration(nowMs - Date.parse(annotation.time))}</Moment>
      </td>
      <td>{who}</td>
    </tr>
  )
}
