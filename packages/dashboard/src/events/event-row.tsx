/** One event: a line that opens to all of its fields. */
import type { Event } from '../service/query.ts'
import { EventDetail } from './event-detail.tsx'
import { formatEventTime } from './event-time.ts'
import { valueAt } from './flatten.ts'
import { levelOf } from './level.ts'
import type { ListLook } from './list-look.ts'
import { Revealed } from './revealed.tsx'
import { splitSource } from './source.ts'
import { summarizeEvent, summarizeValue } from './summary.ts'

interface EventRowProps {
  event: Event
  look: ListLook
  isOpen: boolean
  /** The one of the list that Tab comes to. */
  isStop: boolean
  onToggle: () => void
}

interface ContentProps {
  data: Record<string, unknown>
  look: ListLook
}

export function EventRow({ event, look, isOpen, isStop, onToggle }: EventRowProps) {
  const { source, data } = splitSource(event)
  const level = levelOf(data)
  return (
    <>
      <button
        type="button"
        class={`event-line ${level ? `is-${level.severity}` : ''}`}
        aria-expanded={isOpen}
        tabIndex={isStop ? 0 : -1}
        onClick={onToggle}
      >
        <time dateTime={event._time} title={event._time}>
          {formatEventTime(event._time, look.utc)}
        </time>{' '}
        {source !== undefined && <Revealed class="event-source" text={source} />}{' '}
        {(level || look.columns.length > 0) && <span class="event-level">{level?.text}</span>}{' '}
        {look.columns.length > 0 ? <Cells data={data} look={look} /> : <Summary data={data} look={look} without={level?.field} />}
      </button>
      {isOpen && <EventDetail event={event} />}
    </>
  )
}

/** @param without a field that is shown already */
function Summary({ data, look: { isWrapped }, without }: ContentProps & { without: string | undefined }) {
  return (
    <span class="event-summary">
      {summarizeEvent(data, { isWrapped, without }).map(({ name, value }) => (
        <span key={name}>
          <Revealed class="field-name" text={`${name}:`} /> <Revealed text={value} />{' '}
        </span>
      ))}
    </span>
  )
}

/** Their names stand above the columns; on a narrow page, and where the line is read out, before each value. */
function Cells({ data, look: { columns, isWrapped } }: ContentProps) {
  return (
    <>
      {columns.map((name) => {
        const value = valueAt(data, name)
        return (
          <span key={name} class={typeof value === 'number' || typeof value === 'bigint' ? 'event-cell number' : 'event-cell'}>
            <Revealed class="field-name" text={`${name}:`} />{' '}
            {value === undefined ? <span class="hint">–</span> : <Revealed text={summarizeValue(value, isWrapped)} />}{' '}
          </span>
        )
      })}
    </>
  )
}
