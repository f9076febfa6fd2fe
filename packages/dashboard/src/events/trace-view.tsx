/** The trace of an event: its spans below one another, each as long as it took. */
import './trace.css'
import { formatInUnit } from '../address/unit.ts'
import { Failure } from '../parts/failure.tsx'
import { useLoad } from '../parts/use-load.ts'
import { type Event, queryEvents } from '../service/query.ts'
import { isSameEvent } from './context.ts'
import { EventSummary } from './event-summary.tsx'
import { buildTrace, SPANS_MAX, type Span, traceQuery } from './trace.ts'

interface TraceViewProps {
  event: Event
  dataset: string
  /** A predicate that all spans of the trace pass. */
  filter: string
}

export function TraceView({ event, dataset, filter }: TraceViewProps) {
  const { data, error, isLoading } = useLoad(
    async (signal) => buildTrace((await queryEvents(traceQuery(event, dataset, filter), signal)).matches),
    [event, dataset, filter],
  )
  return (
    <section class="trace" aria-label="Its trace" aria-busy={isLoading}>
      <Failure error={error} />
      {!data && isLoading && <p class="hint">Loading…</p>}
      {data && (
        <>
          <p>
            <strong>Its trace</strong> <span class="hint">{describeTrace(data.spans, data.lengthNs, dataset)}</span>
          </p>
          <ol>
            {data.spans.map((span) => (
              <Row key={span.event._rowId} span={span} wholeNs={data.lengthNs} isHere={isSameEvent(span.event, event)} />
            ))}
          </ol>
        </>
      )}
    </section>
  )
}

function Row({ span, wholeNs, isHere }: { span: Span; wholeNs: number; isHere: boolean }) {
  const { name, service, depth, startNs, lengthNs, isError, data } = span
  const part = (ns: number) => `${(100 * ns) / Math.max(1, wholeNs)}%`
  return (
    <li class={isError ? 'is-error' : ''} aria-current={isHere || undefined}>
      <details>
        <summary>
          <span class="trace-name clip" style={{ paddingInlineStart: `${Math.min(depth, DEPTH_MAX)}rem` }}>
            {isError && <span title="error">✕ </span>}
            {name} <span class="hint">{service}</span>
          </span>
          <span class="trace-track" aria-hidden="true">
            <span class="trace-bar" style={{ insetInlineStart: part(startNs), width: part(lengthNs) }} />
          </span>
          <span class="trace-length">{lengthNs > 0 ? formatInUnit(lengthNs, 'ns') : `at ${formatInUnit(startNs, 'ns')}`}</span>
        </summary>
        <EventSummary data={data} isWrapped without={undefined} />
      </details>
    </li>
  )
}

/** What lies deeper is not moved farther to the side. */
const DEPTH_MAX = 12

function describeTrace(spans: readonly Span[], lengthNs: number, dataset: string): string {
  const errors = spans.filter(({ isError }) => isError).length
  const parts = [
    `${spans.length} ${spans.length === 1 ? 'event' : 'events'} of ${dataset}`,
    formatInUnit(lengthNs, 'ns'),
    errors > 0 && `${errors} with errors`,
    spans.length === SPANS_MAX && 'those after it are left out',
  ]
  return parts.filter((part) => part !== false).join(', ')
}
