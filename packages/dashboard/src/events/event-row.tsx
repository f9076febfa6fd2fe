/** One event: a line that opens to all of its fields. */
import type { Event } from '../service/query.ts'
import { EventDetail } from './event-detail.tsx'
import { formatEventTime } from './event-time.ts'
import { Revealed } from './revealed.tsx'
import { splitSource } from './source.ts'
import { summarizeEvent } from './summary.ts'

interface EventRowProps {
  event: Event
  utc: boolean
  isOpen: boolean
  /** The one of the list that Tab comes to. */
  isStop: boolean
  onToggle: () => void
}

export function EventRow({ event, utc, isOpen, isStop, onToggle }: EventRowProps) {
  const { source, data } = splitSource(event)
  return (
    <>
      <button type="button" class="event-line" aria-expanded={isOpen} tabIndex={isStop ? 0 : -1} onClick={onToggle}>
        <time dateTime={event._time}>{formatEventTime(event._time, utc)}</time>{' '}
        {source !== undefined && <Revealed class="event-source" text={source} />}{' '}
        <span class="event-summary">
          {summarizeEvent(data).map(({ name, value }) => (
            <span key={name}>
              <Revealed class="field-name" text={`${name}:`} /> <Revealed text={value} />{' '}
            </span>
          ))}
        </span>
      </button>
      {isOpen && <EventDetail event={event} />}
    </>
  )
}
