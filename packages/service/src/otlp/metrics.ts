/**
 * A metric as events, one for each of its data points, under the names of OpenTelemetry's data model for metrics in snake case.
 */
import type { Attributes } from './attributes.ts'
import { nameOf } from './json-text.ts'
import {
  Buckets,
  Exemplar,
  ExponentialHistogram,
  ExponentialPoint,
  Gauge,
  Histogram,
  HistogramPoint,
  Metric,
  NumberPoint,
  Quantile,
  Sum,
  Summary,
  SummaryPoint,
} from './metric-messages.ts'
import { ABSENT, MessageFields, NONE, type Places } from './source.ts'
import type { TextMembers } from './text-members.ts'
import type { NamedField } from './wire.ts'

const TEMPORALITIES = [undefined, 'delta', 'cumulative']
const F = Metric.fields
const [metric, exemplar, quantile, buckets] = [
  new MessageFields(Metric),
  new MessageFields(Exemplar),
  new MessageFields(Quantile),
  new MessageFields(Buckets),
]

const NAMES = [
  ...(['name', 'description', 'unit', 'type', 'metadata', 'aggregation_temporality', 'is_monotonic', 'start_time'] as const),
  ...(['attributes', 'exemplars', 'flags', 'value', 'count', 'sum', 'min', 'max', 'explicit_bounds', 'bucket_counts'] as const),
  ...(['scale', 'zero_count', 'zero_threshold', 'positive', 'negative', 'offset', 'quantiles', 'quantile'] as const),
  ...(['timestamp', 'trace_id', 'span_id'] as const),
]
const N = Object.fromEntries(NAMES.map((name) => [name, nameOf(name)])) as Record<(typeof NAMES)[number], Buffer>

/** What the fields of a data point of any type are called. */
type PointFields = Record<'startTimeUnixNano' | 'timeUnixNano' | 'attributes' | 'flags', NamedField> & { exemplars?: NamedField }

interface Kind {
  readonly type: string
  /** The field of the metric that has the points. */
  readonly field: NamedField
  readonly data: typeof Sum
  readonly point: MessageFields
  readonly fields: PointFields
  write(members: TextMembers): void
}

const [gauge, sum, histogram] = [
  new MessageFields(NumberPoint),
  new MessageFields(NumberPoint),
  new MessageFields(HistogramPoint),
]
const [exponential, summary] = [new MessageFields(ExponentialPoint), new MessageFields(SummaryPoint)]
const { fields: DATA } = Sum

/** In the order in which they are looked for, where a metric has several. */
const KINDS: readonly Kind[] = [
  {
    type: 'gauge',
    field: F.gauge,
    data: Gauge,
    point: gauge,
    fields: NumberPoint.fields,
    write: (members) => writeNumber(gauge, NumberPoint.fields, members),
  },
  {
    type: 'sum',
    field: F.sum,
    data: Sum,
    point: sum,
    fields: NumberPoint.fields,
    write: (members) => writeNumber(sum, NumberPoint.fields, members),
  },
  {
    type: 'histogram',
    field: F.histogram,
    data: Histogram,
    point: histogram,
    fields: HistogramPoint.fields,
    write: writeHistogram,
  },
  {
    type: 'exponential_histogram',
    field: F.exponentialHistogram,
    data: ExponentialHistogram,
    point: exponential,
    fields: ExponentialPoint.fields,
    write: writeExponential,
  },
  {
    type: 'summary',
    field: F.summary,
    data: Summary,
    point: summary,
    fields: SummaryPoint.fields,
    write: writeSummary,
  },
]

/** The metrics of one request. Other requests may be read between the points of a metric. */
export class Metrics {
  /** The data of the metric that was read last, of each kind. */
  readonly #found = new Map<Kind, MessageFields>()
  #kind = KINDS[0] as Kind
  /** Members that all points of the metric have. */
  #common: Buffer = Buffer.alloc(0)

  /** @returns where the points are, each of which is an event, until the next call @throws WireError */
  read(item: number, members: TextMembers): Places {
    members.find(item, metric)
    const kind = KINDS.find(({ field }) => metric.at(field) !== ABSENT)
    if (!kind) return NONE
    const data = this.#found.get(kind) ?? new MessageFields(kind.data)
    this.#found.set(kind, data)
    this.#kind = kind
    members.find(metric.at(kind.field), data)
    this.#common = members.share(() => writeCommon(kind, data, members))
    return data.list(DATA.dataPoints)
  }

  /** @param at a point of the metric that was read last @param end writes the rest of the event @throws WireError */
  write(at: number, members: TextMembers, attributes: Attributes, end: () => void): void {
    const { point, fields, write } = this.#kind
    members.find(at, point)
    members.open()
    members.out.raw(this.#common, 0, this.#common.length)
    members.time(members.digits(point, fields.timeUnixNano))
    members.ns(N.start_time, point, fields.startTimeUnixNano)
    write(members)
    attributes.write(N.attributes, point.list(fields.attributes), members)
    if (fields.exemplars) members.array(N.exemplars, point.list(fields.exemplars), (one) => writeExemplar(one, members))
    members.count(N.flags, point, fields.flags)
    end()
  }
}

/** What is the same for all points. */
function writeCommon({ type }: Kind, data: MessageFields, members: TextMembers): void {
  members.text(N.name, metric, F.name)
  members.text(N.description, metric, F.description)
  members.text(N.unit, metric, F.unit)
  members.plain(N.type, `"${type}"`)
  if (type !== 'gauge' && type !== 'summary') {
    const temporality = TEMPORALITIES[members.int(data, DATA.aggregationTemporality)]
    members.plain(N.aggregation_temporality, temporality && `"${temporality}"`)
  }
  if (type === 'sum') {
    const at = data.at(DATA.isMonotonic)
    members.plain(N.is_monotonic, String(at !== ABSENT && members.source.bool(at, DATA.isMonotonic)))
  }
  members.pairs(N.metadata, metric.list(F.metadata))
}

function writeNumber(
  found: MessageFields,
  { asInt, asDouble }: Record<'asInt' | 'asDouble', NamedField>,
  members: TextMembers,
): void {
  if (found.at(asInt) !== ABSENT) members.plain(N.value, members.digits(found, asInt))
  else members.double(N.value, found, asDouble)
}

function writeHistogram(members: TextMembers): void {
  const { fields } = HistogramPoint
  members.plain(N.count, members.digits(histogram, fields.count))
  members.double(N.sum, histogram, fields.sum)
  members.double(N.min, histogram, fields.min)
  members.double(N.max, histogram, fields.max)
  members.array(N.explicit_bounds, histogram.list(fields.explicitBounds), (at) => {
    members.out.separate()
    members.out.double(members.source.double(at, fields.explicitBounds))
  })
  writeCounts(histogram, fields.bucketCounts, members)
}

function writeExponential(members: TextMembers): void {
  const { fields } = ExponentialPoint
  members.plain(N.count, members.digits(exponential, fields.count))
  members.double(N.sum, exponential, fields.sum)
  members.double(N.min, exponential, fields.min)
  members.double(N.max, exponential, fields.max)
  members.plain(N.scale, String(members.int(exponential, fields.scale)))
  members.plain(N.zero_count, members.digits(exponential, fields.zeroCount))
  if (!members.double(N.zero_threshold, exponential, fields.zeroThreshold)) members.plain(N.zero_threshold, '0.0')
  writeBuckets(N.positive, exponential.at(fields.positive), members)
  writeBuckets(N.negative, exponential.at(fields.negative), members)
}

function writeBuckets(name: Buffer, at: number, members: TextMembers): void {
  if (at === ABSENT) return
  const { fields } = Buckets
  members.find(at, buckets)
  if (buckets.list(fields.bucketCounts).count === 0) return
  members.object(name, () => {
    members.plain(N.offset, String(members.int(buckets, fields.offset)))
    writeCounts(buckets, fields.bucketCounts, members)
  })
}

function writeCounts(found: MessageFields, field: NamedField, members: TextMembers): void {
  members.array(N.bucket_counts, found.list(field), (at) => {
    members.out.separate()
    members.out.ascii(members.source.digits(at, field))
  })
}

function writeSummary(members: TextMembers): void {
  const { fields } = SummaryPoint
  members.plain(N.count, members.digits(summary, fields.count))
  if (!members.double(N.sum, summary, fields.sum)) members.plain(N.sum, '0.0')
  members.array(N.quantiles, summary.list(fields.quantileValues), (at) => {
    members.find(at, quantile)
    members.open()
    if (!members.double(N.quantile, quantile, Quantile.fields.quantile)) members.plain(N.quantile, '0.0')
    if (!members.double(N.value, quantile, Quantile.fields.value)) members.plain(N.value, '0.0')
    members.close()
  })
}

function writeExemplar(at: number, members: TextMembers): void {
  const { fields } = Exemplar
  members.find(at, exemplar)
  members.open()
  members.ns(N.timestamp, exemplar, fields.timeUnixNano)
  writeNumber(exemplar, fields, members)
  members.id(N.trace_id, exemplar, fields.traceId)
  members.id(N.span_id, exemplar, fields.spanId)
  members.pairs(N.attributes, exemplar.list(fields.filteredAttributes))
  members.close()
}
