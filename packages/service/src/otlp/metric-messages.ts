/**
 * The messages of OTLP's metrics, by the numbers that their fields have on the wire.
 */
import { KeyValue, signal } from './messages.ts'
import { bool, double, hexId, int, int64, Message, one, repeated, string } from './wire.ts'

const attributes = (id: number) => repeated(one(id, KeyValue))

export const Exemplar = new Message('Exemplar', {
  timeUnixNano: int64(2, 'fixed64'),
  asDouble: double(3),
  spanId: hexId(4),
  traceId: hexId(5),
  asInt: int64(6, 'sfixed64'),
  filteredAttributes: attributes(7),
})
const exemplars = (id: number) => repeated(one(id, Exemplar))

const times = { startTimeUnixNano: int64(2, 'fixed64'), timeUnixNano: int64(3, 'fixed64') }
const count = { count: int64(4, 'fixed64'), sum: double(5) }

export const NumberPoint = new Message('NumberPoint', {
  ...times,
  asDouble: double(4),
  exemplars: exemplars(5),
  asInt: int64(6, 'sfixed64'),
  attributes: attributes(7),
  flags: int(8, 'uint32'),
})

export const HistogramPoint = new Message('HistogramPoint', {
  ...times,
  ...count,
  bucketCounts: repeated(int64(6, 'fixed64')),
  explicitBounds: repeated(double(7)),
  exemplars: exemplars(8),
  attributes: attributes(9),
  flags: int(10, 'uint32'),
  min: double(11),
  max: double(12),
})

export const Buckets = new Message('Buckets', { offset: int(1, 'sint32'), bucketCounts: repeated(int64(2, 'uint64')) })

export const ExponentialPoint = new Message('ExponentialPoint', {
  attributes: attributes(1),
  ...times,
  ...count,
  scale: int(6, 'sint32'),
  zeroCount: int64(7, 'fixed64'),
  positive: one(8, Buckets),
  negative: one(9, Buckets),
  flags: int(10, 'uint32'),
  exemplars: exemplars(11),
  min: double(12),
  max: double(13),
  zeroThreshold: double(14),
})

export const Quantile = new Message('Quantile', { quantile: double(1), value: double(2) })

export const SummaryPoint = new Message('SummaryPoint', {
  ...times,
  ...count,
  quantileValues: repeated(one(6, Quantile)),
  attributes: attributes(7),
  flags: int(8, 'uint32'),
})

/** What a metric of each type has; the numbers are the same in all. */
const data = (name: string, point: { name: string }) =>
  new Message(name, { dataPoints: repeated(one(1, point)), aggregationTemporality: int(2), isMonotonic: bool(3) })

export const Gauge = data('Gauge', NumberPoint)
export const Sum = data('Sum', NumberPoint)
export const Histogram = data('Histogram', HistogramPoint)
export const ExponentialHistogram = data('ExponentialHistogram', ExponentialPoint)
export const Summary = data('Summary', SummaryPoint)

export const Metric = new Message('Metric', {
  name: string(1),
  description: string(2),
  unit: string(3),
  gauge: one(5, Gauge),
  sum: one(7, Sum),
  histogram: one(9, Histogram),
  exponentialHistogram: one(10, ExponentialHistogram),
  summary: one(11, Summary),
  metadata: attributes(12),
})

export const METRICS = signal({ resources: 'resourceMetrics', scopes: 'scopeMetrics', items: 'metrics' }, Metric)
