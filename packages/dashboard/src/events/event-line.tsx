/** An event in one line, or in all that it takes: its time, dataset and level, and the chosen columns or else its first fields. */
import { showName } from '../query/name.ts'
import type { Event } from '../service/query.ts'
import { formatEventTime } from './event-time.ts'
import { flatten, valueAt } from './flatten.ts'
import { levelOf } from './level.ts'
import { Revealed } from './revealed.tsx'
import { splitSource } from './source.ts'
import { summarizeEvent, summarizeValue } from './summary.ts'

/** How events are listed. */
export interface ListLook {
  zone: string
  columns: readonly string[]
  /** The dataset that they are from; empty where each says it itself, or nobody knows. */
  dataset: string
  /** Whether an event takes as many lines as its text needs. */
  isWrapped: boolean
}

export function EventLine({ event, look: { zone, columns, isWrapped } }: { event: Event; look: ListLook }) {
  const { source, data } = splitSource(event)
  const fields = flatten(data)
  const level = levelOf(fields)
  const hasColumns = columns.length > 0
  return (
    <>
      <time dateTime={event._time} title={event._time}>
        {formatEventTime(event._time, zone)}
      </time>{' '}
      {source !== undefined && <Revealed class="event-source" text={source} />}{' '}
      {(level || hasColumns) && <span class={level ? `event-level is-${level.severity}` : 'event-level'}>{level?.text}</span>}{' '}
      {columns.map((name) => (
        <Cell key={name} name={name} value={valueAt(data, name)} isWrapped={isWrapped} />
      ))}
      {!hasColumns && (
        <span class="event-summary">
          {summarizeEvent(fields, isWrapped, level?.field).map(({ name, value }) => (
            <span key={name}>
              <Revealed class="field-name" text={`${name}:`} /> <Revealed text={value} />{' '}
            </span>
          ))}
        </span>
      )}
    </>
  )
}

/** The names of the columns are above them; on a narrow page, and for screen readers, they are before each value. */
function Cell({ name, value, isWrapped }: { name: string; value: unknown; isWrapped: boolean }) {
  return (
    <span class="event-cell">
      <Revealed class="field-name" text={`${showName(name)}:`} />{' '}
      {value === undefined ? <span class="hint">–</span> : <Revealed text={summarizeValue(value, isWrapped)} />}{' '}
    </span>
  )
}
