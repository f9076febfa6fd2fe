/** The metrics of a comparison as they are stored: before, after, and the interval of the change in words and as a bar. */
import type { ReportRow } from '@deployment-annotations/compare/report'
import { capitalize, joinValues } from '@deployment-annotations/compare/words'
import type { VerdictDetails } from '@deployment-annotations/contract/annotation'
import { formatDuration, UNIT_MS } from '@deployment-annotations/contract/duration'
import { isWorse } from '@deployment-annotations/contract/verdict'

interface VerdictTableProps {
  rows: readonly ReportRow[]
  details: Pick<VerdictDetails, 'windows' | 'isEarly'>
}

export function VerdictTable({ rows, details }: VerdictTableProps) {
  if (rows.length === 0) return null
  // What hurts comes first, and traffic last, because it explains the others.
  const rankOf = ({ verdict, name }: ReportRow) => (isWorse(verdict) ? 0 : name.startsWith('traffic') ? 2 : 1)
  return (
    <table class="verdict-table">
      <caption>{describeWindows(details)}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">before</th>
          <th scope="col">after</th>
          <th scope="col" colSpan={2}>
            change, 95 % sure
          </th>
        </tr>
      </thead>
      <tbody>
        {rows
          .toSorted((a, b) => rankOf(a) - rankOf(b))
          .map((row) => (
            <Row key={row.name} {...row} />
          ))}
      </tbody>
    </table>
  )
}

/** @returns `First 10 min, against the hour before` */
function describeWindows({ windows: { before, after }, isEarly }: VerdictTableProps['details']): string {
  const [first, earlier] = [after, before].map(({ startTime, endTime }) => {
    const ms = Date.parse(endTime) - Date.parse(startTime)
    return formatDuration(ms < UNIT_MS.m ? ms : Math.round(ms / UNIT_MS.m) * UNIT_MS.m).replace(/^1 h$/, 'hour')
  })
  return `First ${first}${isEarly ? ' so far' : ''}, against the ${earlier} before`
}

function Row({ name, verdict, isChanged, before, after, change, interval, lack }: ReportRow) {
  const [from, to] = joinValues(before, '\n', after).split('\n')
  return (
    <>
      <tr class={isWorse(verdict) ? 'is-worse' : isChanged ? 'is-told' : ''}>
        <th scope="row">{capitalize(name)}</th>
        <td>{from}</td>
        <td>{to}</td>
        <td>
          <Interval {...interval} />
        </td>
        <td class="hint">{change}</td>
      </tr>
      {lack !== '' && (
        <tr>
          <td colSpan={5} class="hint lack">
            Cannot tell: {lack}
          </td>
        </tr>
      )}
    </>
  )
}

/** The width of the bar in pixels; each doubling takes a quarter of it. */
const WIDTH = 64
const WIDTH_MIN = 4

/** @param change as a part: 0 stands in the middle */
function placeOf(change: number): number {
  return Math.max(0, Math.min(WIDTH, WIDTH / 2 + (WIDTH / 4) * Math.log2(Math.max(0, 1 + change))))
}

function Interval({ low, change, high }: ReportRow['interval']) {
  if (change === null) return null
  const [from, to] = [placeOf(low ?? change), placeOf(high ?? (low === null ? change : Number.POSITIVE_INFINITY))]
  return (
    <svg class="interval" viewBox={`0 0 ${WIDTH} 12`} aria-hidden="true">
      <path class="interval-scale" d={`M0 6h${WIDTH}M${WIDTH / 2} 1v10`} />
      <rect x={from} y="4" width={Math.max(WIDTH_MIN, to - from)} height="4" rx="2" />
      <circle cx={placeOf(change)} cy="6" r="2.5" />
    </svg>
  )
}
