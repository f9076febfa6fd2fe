/**
 * A point of a metric as an event, under the names of OpenTelemetry's data model for metrics in snake case.
 */
import type { EventMembers, EventValue } from '@deployment-annotations/event-store/scan/event-text'
import type { Attributes } from './attributes.ts'
import { type Frame, METRIC_DATA, type Message } from './levels.ts'
import { count, double, hexId, isTrue, listOf, message, type OwnMembers, pairs, text, whole } from './values.ts'

const TEMPORALITIES = [undefined, 'delta', 'cumulative']

type MetricType = keyof typeof METRIC_DATA

/** What points of each type have beside times, attributes, exemplars and flags. */
const VALUES: Readonly<Record<MetricType, (point: Message) => EventMembers>> = {
  gauge: numberMembers,
  sum: numberMembers,
  histogram: (point) => ({
    ...sumMembers(point),
    explicit_bounds: listOf(point.explicitBounds, 'explicitBounds', (bound) => double(bound, 'explicitBounds') ?? null),
    bucket_counts: bucketCounts(point),
  }),
  exponential_histogram: (point) => ({
    ...sumMembers(point),
    scale: whole(point.scale, 'scale'),
    zero_count: whole(point.zeroCount, 'zeroCount'),
    zero_threshold: double(point.zeroThreshold, 'zeroThreshold') ?? 0,
    positive: bucketMembers(point.positive, 'positive'),
    negative: bucketMembers(point.negative, 'negative'),
  }),
  summary: (point) => ({
    count: whole(point.count, 'count'),
    sum: double(point.sum, 'sum') ?? 0,
    quantiles: listOf(point.quantileValues, 'quantileValues', quantileMembers),
  }),
}

/** @returns what all points of a metric have */
export function metricMembers({ level, heads }: Frame): EventMembers {
  const [metric = {}, data = {}] = heads.slice(-2)
  const type = typeOf(level)
  const temporality = TEMPORALITIES[Number(whole(data.aggregationTemporality, 'aggregationTemporality'))]
  return {
    name: text(metric.name, 'name'),
    description: text(metric.description, 'description'),
    unit: text(metric.unit, 'unit'),
    type,
    aggregation_temporality: type === 'gauge' || type === 'summary' ? undefined : temporality,
    is_monotonic: type === 'sum' ? isTrue(data.isMonotonic, 'isMonotonic') : undefined,
    metadata: pairs(metric.metadata, 'metadata'),
  }
}

/** @throws WireError */
export function pointEvent(point: Message, attributes: Attributes, { level }: Frame): OwnMembers {
  return {
    timeNs: count(point.timeUnixNano, 'timeUnixNano'),
    members: {
      start_time: count(point.startTimeUnixNano, 'startTimeUnixNano'),
      ...VALUES[typeOf(level)](point),
      attributes: attributes.place(point.attributes),
      exemplars: listOf(point.exemplars, 'exemplars', exemplarMembers),
      flags: count(point.flags, 'flags'),
    },
  }
}

const TYPES = new Map(Object.entries(METRIC_DATA).map(([type, { level }]) => [level, type as MetricType]))
const typeOf = (level: Frame['level']) => TYPES.get(level) as MetricType

function numberMembers({ asInt, asDouble }: Message): { value: EventValue | undefined } {
  return { value: asInt === undefined || asInt === null ? double(asDouble, 'asDouble') : whole(asInt, 'asInt') }
}

function sumMembers(point: Message): EventMembers {
  return {
    count: whole(point.count, 'count'),
    sum: double(point.sum, 'sum'),
    min: double(point.min, 'min'),
    max: double(point.max, 'max'),
  }
}

const bucketCounts = (holder: Message) => listOf(holder.bucketCounts, 'bucketCounts', (one) => whole(one, 'bucketCounts'))

function bucketMembers(value: unknown, name: string): EventMembers | undefined {
  const buckets = message(value, name)
  const counts = bucketCounts(buckets)
  return counts && { offset: whole(buckets.offset, 'offset'), bucket_counts: counts }
}

function quantileMembers(item: unknown): EventMembers {
  const { quantile, value } = message(item, 'quantileValues')
  return { quantile: double(quantile, 'quantile') ?? 0, value: double(value, 'value') ?? 0 }
}

function exemplarMembers(value: unknown): EventMembers {
  const exemplar = message(value, 'Exemplar')
  return {
    timestamp: count(exemplar.timeUnixNano, 'timeUnixNano'),
    ...numberMembers(exemplar),
    trace_id: hexId(exemplar.traceId, 'traceId'),
    span_id: hexId(exemplar.spanId, 'spanId'),
    attributes: pairs(exemplar.filteredAttributes, 'filteredAttributes'),
  }
}
