/**
 * A metric as events, one for each of its data points, under the names of OpenTelemetry's data model for metrics in snake case.
 */
import type { Attributes } from './attributes.ts'
import {
  arrayText,
  countText,
  doubleText,
  hexText,
  joinMembers,
  type Member,
  nsText,
  objectText,
  pairsText,
  stringText,
  timeText,
} from './json-text.ts'
import type { KeyValue } from './messages.ts'
import {
  type BucketsMessage,
  type ExemplarMessage,
  type ExponentialPointMessage,
  type HistogramPointMessage,
  Metric,
  type MetricMessage,
  type NumberPointMessage,
  type SummaryPointMessage,
} from './metric-messages.ts'
import type { Int64, RawMessage } from './wire.ts'

const TEMPORALITIES = [undefined, 'delta', 'cumulative']

/** What a data point of any type has. */
interface Point {
  readonly startTimeUnixNano?: Int64
  readonly timeUnixNano?: Int64
  readonly attributes?: readonly KeyValue[]
  readonly exemplars?: readonly ExemplarMessage[]
  readonly flags?: number
}

/** @returns the members of each event @throws WireError */
export function metricEvents(raw: RawMessage, attributes: Attributes): string[] {
  const metric = Metric.read(raw)
  const { type, members, points } = readPoints(metric)
  const common = joinMembers([
    ['name', stringText(metric.name)],
    ['description', stringText(metric.description)],
    ['unit', stringText(metric.unit)],
    ['type', JSON.stringify(type)],
    ...members,
    ['metadata', pairsText(metric.metadata)],
  ])
  return points.map(([point, own]) => {
    const text = joinMembers([
      ['_time', timeText(point.timeUnixNano)],
      ['start_time', nsText(point.startTimeUnixNano)],
      ...own,
      ['attributes', attributes.text(point.attributes)],
      ['exemplars', arrayText(point.exemplars?.map(exemplarText))],
      ['flags', countText(point.flags)],
    ])
    return text === '' ? common : `${common},${text}`
  })
}

interface Points {
  readonly type: string
  /** The same for all points. */
  readonly members: readonly Member[]
  readonly points: readonly (readonly [Point, readonly Member[]])[]
}

function readPoints({ gauge, sum, histogram, exponentialHistogram, summary }: MetricMessage): Points {
  if (gauge) return pointsOf('gauge', [], gauge.dataPoints, numberMembers)
  if (sum) {
    const members: Member[] = [...temporality(sum), ['is_monotonic', String(sum.isMonotonic ?? false)]]
    return pointsOf('sum', members, sum.dataPoints, numberMembers)
  }
  if (histogram) return pointsOf('histogram', temporality(histogram), histogram.dataPoints, histogramMembers)
  if (exponentialHistogram) {
    const { dataPoints } = exponentialHistogram
    return pointsOf('exponential_histogram', temporality(exponentialHistogram), dataPoints, exponentialMembers)
  }
  if (summary) return pointsOf('summary', [], summary.dataPoints, summaryMembers)
  return { type: 'none', members: [], points: [] }
}

function pointsOf<P extends Point>(
  type: string,
  members: readonly Member[],
  points: readonly P[] | undefined,
  own: (point: P) => readonly Member[],
): Points {
  return { type, members, points: (points ?? []).map((point) => [point, own(point)]) }
}

function temporality({ aggregationTemporality = 0 }: { aggregationTemporality?: number }): Member[] {
  const name = TEMPORALITIES[aggregationTemporality]
  return [['aggregation_temporality', name && JSON.stringify(name)]]
}

function numberMembers(point: Pick<NumberPointMessage, 'asInt' | 'asDouble'>): Member[] {
  if (Object.hasOwn(point, 'asInt')) return [['value', String(point.asInt)]]
  if (Object.hasOwn(point, 'asDouble')) return [['value', doubleText(point.asDouble as number)]]
  return []
}

/** Absent, and not 0, where it was not sent. */
function sent<P extends object>(point: P, name: keyof P & string): Member {
  return [name, Object.hasOwn(point, name) ? doubleText(point[name] as number) : undefined]
}

function integersText(values: readonly Int64[] | undefined): string | undefined {
  return arrayText(values?.map(String))
}

function histogramMembers(point: HistogramPointMessage): Member[] {
  return [
    ['count', String(point.count ?? 0)],
    sent(point, 'sum'),
    sent(point, 'min'),
    sent(point, 'max'),
    ['explicit_bounds', arrayText(point.explicitBounds?.map(doubleText))],
    ['bucket_counts', integersText(point.bucketCounts)],
  ]
}

function exponentialMembers(point: ExponentialPointMessage): Member[] {
  return [
    ['count', String(point.count ?? 0)],
    sent(point, 'sum'),
    sent(point, 'min'),
    sent(point, 'max'),
    ['scale', String(point.scale ?? 0)],
    ['zero_count', String(point.zeroCount ?? 0)],
    ['zero_threshold', doubleText(point.zeroThreshold ?? 0)],
    ['positive', bucketsText(point.positive)],
    ['negative', bucketsText(point.negative)],
  ]
}

function bucketsText(buckets: BucketsMessage | null | undefined): string | undefined {
  if (!buckets?.bucketCounts?.length) return undefined
  return objectText([
    ['offset', String(buckets.offset ?? 0)],
    ['bucket_counts', integersText(buckets.bucketCounts)],
  ])
}

function summaryMembers(point: SummaryPointMessage): Member[] {
  const quantiles = point.quantileValues?.map(({ quantile = 0, value = 0 }) => {
    return `{"quantile":${doubleText(quantile)},"value":${doubleText(value)}}`
  })
  return [
    ['count', String(point.count ?? 0)],
    ['sum', doubleText(point.sum ?? 0)],
    ['quantiles', arrayText(quantiles)],
  ]
}

function exemplarText(exemplar: ExemplarMessage): string {
  return `{${joinMembers([
    ['timestamp', nsText(exemplar.timeUnixNano)],
    ...numberMembers(exemplar),
    ['trace_id', hexText(exemplar.traceId)],
    ['span_id', hexText(exemplar.spanId)],
    ['attributes', pairsText(exemplar.filteredAttributes)],
  ])}}`
}
