/** The events of a dataset just before and after one of them: all, or those with the same value of a field, such as its host or trace. */
import './event-context.css'
import { useState } from 'preact/hooks'
import { writeFilter } from '../filters/filter.ts'
import { Failure } from '../parts/failure.tsx'
import { Select } from '../parts/select.tsx'
import { useLoad } from '../parts/use-load.ts'
import { type Event, queryEvents } from '../service/query.ts'
import { contextQueries, fieldsOfOrigin, isSameEvent } from './context.ts'
import { EventSummary } from './event-summary.tsx'
import { formatEventTime } from './event-time.ts'
import { levelOf } from './level.ts'
import type { ShownEvent } from './source.ts'
import { splitSource } from './source.ts'

export function EventContext({ event, dataset, zone }: ShownEvent) {
  const [field, setField] = useState('')
  const fields = fieldsOfOrigin(splitSource(event).data)
  const same = fields.find(({ name }) => name === field)
  const filter = same && writeFilter(same.name, same.value)
  const { data, error, isLoading } = useLoad(
    async (signal) => {
      const [before, after] = await Promise.all(
        contextQueries(event._time, dataset, filter).map((query) => queryEvents(query, signal)),
      )
      return { before: before?.matches.reverse() ?? [], after: after?.matches.filter((one) => !isSameEvent(one, event)) ?? [] }
    },
    [event, dataset, filter],
  )
  return (
    <section class="event-context" aria-label="Events around it" aria-busy={isLoading}>
      <div class="row">
        <strong>Around it</strong>
        {fields.length > 0 && (
          <Select
            name="Which events"
            value={field}
            options={[
              ['', `all of ${dataset}`],
              ...fields.map(({ name, value }) => [name, `same ${name.replace(/\\(.)/g, '$1')}: ${value}`] as const),
            ]}
            onPick={setField}
          />
        )}
      </div>
      <Failure error={error} />
      {data && (
        <ol>
          <Lines events={data.before} zone={zone} none="No event in the hour before it." />
          <li class="is-here" aria-current="true">
            <Line event={event} zone={zone} />
          </li>
          <Lines events={data.after} zone={zone} none="No event in the hour after it." />
        </ol>
      )}
    </section>
  )
}

function Lines({ events, zone, none }: { events: readonly Event[]; zone: string; none: string }) {
  if (events.length === 0) return <li class="hint">{none}</li>
  return events.map((event, at) => (
    <li key={at}>
      <Line event={event} zone={zone} />
    </li>
  ))
}

function Line({ event, zone }: { event: Event; zone: string }) {
  const { data } = splitSource(event)
  const level = levelOf(data)
  return (
    <>
      <time dateTime={event._time}>{formatEventTime(event._time, zone)}</time>{' '}
      {level && <span class="event-level">{level.text} </span>}
      <EventSummary data={data} isWrapped={false} without={level?.field} />
    </>
  )
}
