/** Shows all fields of an event with their types, and the event as JSON. */
import { cutText } from '@deployment-annotations/contract/text'
import { useState } from 'preact/hooks'
import { ValueButtons } from '../filters/value-menu.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { showName } from '../query/name.ts'
import type { Event } from '../service/query.ts'
import { ColumnButton } from './column-button.tsx'
import { EventContext } from './event-context.tsx'
import type { ListLook } from './event-line.tsx'
import { type EventField, flatten, typeName } from './flatten.ts'
import { Revealed } from './revealed.tsx'
import { splitSource } from './source.ts'
import { formatEvent, writeFieldValue } from './summary.ts'

const VALUE_POINTS_MAX = 1_000

export function EventDetail({ event, look }: { event: Event; look: ListLook }) {
  const [hasContext, setContext] = useState(false)
  const { source: dataset = look.dataset, data } = splitSource(event)
  // What is no field of the dataset comes last in the event.
  const fields = flatten(data).sort((a, b) => (a.name < b.name ? -1 : 1))
  return (
    <div class="event-detail">
      <dl>
        <Field name="_time" type="time" value={event._time} isTime />
        {event._sysTime && <Field name="_sysTime" type="time" value={event._sysTime} isTime />}
        {fields.map(({ name, value }) => (
          <Field key={name} name={name} type={typeName(value)} value={value} />
        ))}
      </dl>
      <div class="row">
        {dataset !== '' && (
          <button type="button" aria-expanded={hasContext} onClick={() => setContext(!hasContext)}>
            Events around it
          </button>
        )}
        <CopyButton label="Copy as JSON" text={formatEvent(event)} />
      </div>
      {hasContext && <EventContext event={event} dataset={dataset} look={look} />}
    </div>
  )
}

interface FieldProps extends EventField {
  type: string
  /** Whether the field is the event's own time or that of its arrival, which the range of the page filters. */
  isTime?: boolean
}

function Field({ name, type, value, isTime = false }: FieldProps) {
  const [isWhole, setWhole] = useState(false)
  const text = writeFieldValue(value, 2)
  const beginning = cutText(text, VALUE_POINTS_MAX)
  return (
    <div class="field">
      <dt>
        <Revealed class="field-name" text={showName(name)} /> <span class="field-type">{type}</span>
      </dt>
      <dd>
        <Revealed text={isWhole ? text : beginning} />
        {beginning !== text && (
          <button type="button" class="field-more" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
          </button>
        )}
      </dd>
      {!isTime && (
        <dd class="field-buttons">
          <ValueButtons field={name} value={value} />
          <ColumnButton field={name} />
        </dd>
      )}
    </div>
  )
}
