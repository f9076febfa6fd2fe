/** The first fields of an event in one line, or in all that they take. */
import { Revealed } from './revealed.tsx'
import { summarizeEvent } from './summary.ts'

interface EventSummaryProps {
  data: Record<string, unknown>
  isWrapped: boolean
  /** A field that is already shown. */
  without: string | undefined
}

export function EventSummary({ data, isWrapped, without }: EventSummaryProps) {
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
