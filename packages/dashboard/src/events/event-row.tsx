/** One event: a line that opens to all of its fields. */
import { useState } from 'preact/hooks'
import type { Event } from '../service/query.ts'
import { EventDetail } from './event-detail.tsx'
import { formatEventTime } from './event-time.ts'
import { Revealed } from './revealed.tsx'
import { splitSource } from './source.ts'
import { summarizeEvent } from './summary.ts'

export function EventRow({ event, utc }: { event: Event; utc: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { source, data } = splitSource(event)
  return (
    <li class="event">
      <button type="button" class="event-line" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
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
    </li>
  )
}
