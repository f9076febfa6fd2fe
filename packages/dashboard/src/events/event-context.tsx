/** The events of a dataset just before and after one of them: all, or those with the same value of a field, such as its host or trace. */
import './event-context.css'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { useState } from 'preact/hooks'
import { formatRange } from '../address/range.ts'
import { writeFilter } from '../filters/filter.ts'
import { Failure } from '../parts/failure.tsx'
import { Select } from '../parts/select.tsx'
import { useLoad } from '../parts/use-load.ts'
import { quoteName, showName } from '../query/name.ts'
import { type Event, queryEvents } from '../service/query.ts'
import { EventLine, type ListLook } from './event-line.tsx'
import { UNCOUNTED } from './feed.ts'
import { flatten } from './flatten.ts'
import { splitSource } from './source.ts'

/** So many are shown on each side. */
const CONTEXT_ROWS = 10
/** What is farther away has nothing to do with it. */
const CONTEXT_MS = UNIT_MS.h
/** The fields that say where an event is from, by the names that people and OpenTelemetry give them. */
const ORIGIN =
  /^(?:.*\.)?(?:host(?:name)?|host\.name|trace[._]?id|span[._]?id|request_?id|session(?:_?id)?|pod|container|instance|user_?id|thread)$/i

interface EventContextProps {
  event: Event
  dataset: string
  look: ListLook
}

export function EventContext({ event, dataset, look }: EventContextProps) {
  const [filter, setFilter] = useState('')
  const { data, error, isLoading } = useLoad((signal) => loadAround(event, dataset, filter, signal), [event, dataset, filter])
  const same = flatten(splitSource(event).data).flatMap(({ name, value }) => {
    const predicate = ORIGIN.test(showName(name)) && value !== null && value !== '' && writeFilter(name, value)
    return predicate ? [[predicate, `same ${showName(name)}: ${value}`] as const] : []
  })
  const lines = (events: readonly Event[], side: string) =>
    events.length === 0 ? <li class="hint">No event in the hour {side} it.</li> : events.map(line)
  const line = (one: Event) => (
    <li key={one._rowId} aria-current={one === event || undefined}>
      <EventLine event={one} look={{ ...look, columns: [], isWrapped: false }} />
    </li>
  )
  return (
    <section class="event-context" aria-label="Events around it" aria-busy={isLoading}>
      <div class="row">
        <strong>Around it</strong>
        {same.length > 0 && (
          <Select name="Which events" value={filter} options={[['', `all of ${dataset}`], ...same]} onPick={setFilter} />
        )}
      </div>
      <Failure error={error} />
      {data && (
        <ol>
          {lines(data.before, 'before')}
          {line(event)}
          {lines(data.after, 'after')}
        </ol>
      )}
    </section>
  )
}

/** @param filter a predicate that all have to pass; empty for none */
async function loadAround({ _time, _rowId }: Event, dataset: string, filter: string, signal: AbortSignal) {
  const ms = Date.parse(_time)
  const ask = (comparison: string, order: string, startMs: number, endMs: number) => {
    const where = `where _time ${comparison} datetime(${_time})${filter && ` and ${filter}`}`
    const apl = `${quoteName(dataset)} | ${where} | sort by _time ${order} | limit ${CONTEXT_ROWS + 1}`
    return queryEvents({ apl, ...formatRange({ startMs, endMs }), ...UNCOUNTED }, signal)
  }
  const [before, after] = await Promise.all([ask('<', 'desc', ms - CONTEXT_MS, ms + 1), ask('>=', 'asc', ms, ms + CONTEXT_MS)])
  const others = after.matches.filter((one) => one._rowId !== _rowId)
  return { before: before.matches.slice(0, CONTEXT_ROWS).reverse(), after: others.slice(0, CONTEXT_ROWS) }
}
