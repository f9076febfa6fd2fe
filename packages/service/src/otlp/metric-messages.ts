/**
 * The messages of OTLP's metrics, by the numbers that their fields have on the wire.
 */
import type { KeyValue } from './messages.ts'
import { bool, double, hexId, int, int64, later, Message, one, type ReadMessage, repeated, string } from './wire.ts'

const attributes = (id: number) => repeated(later<KeyValue>(id, 'KeyValue'))

const Exemplar = new Message('Exemplar', {
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

const NumberPoint = new Message('NumberPoint', {
  ...times,
  asDouble: double(4),
  exemplars: exemplars(5),
  asInt: int64(6, 'sfixed64'),
  attributes: attributes(7),
  flags: int(8, 'uint32'),
})

const HistogramPoint = new Message('HistogramPoint', {
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

const Buckets = new Message('Buckets', { offset: int(1, 'sint32'), bucketCounts: repeated(int64(2, 'uint64')) })

const ExponentialPoint = new Message('ExponentialPoint', {
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

const SummaryPoint = new Message('SummaryPoint', {
  ...times,
  ...count,
  quantileValues: repeated(one(6, new Message('Quantile', { quantile: double(1), value: double(2) }))),
  attributes: attributes(7),
  flags: int(8, 'uint32'),
})

export const Metric = new Message('Metric', {
  name: string(1),
  description: string(2),
  unit: string(3),
  gauge: one(5, new Message('Gauge', { dataPoints: repeated(one(1, NumberPoint)) })),
  sum: one(
    7,
    new Message('Sum', { dataPoints: repeated(one(1, NumberPoint)), aggregationTemporality: int(2), isMonotonic: bool(3) }),
  ),
  histogram: one(9, new Message('Histogram', { dataPoints: repeated(one(1, HistogramPoint)), aggregationTemporality: int(2) })),
  exponentialHistogram: one(
    10,
    new Message('ExponentialHistogram', { dataPoints: repeated(one(1, ExponentialPoint)), aggregationTemporality: int(2) }),
  ),
  summary: one(11, new Message('Summary', { dataPoints: repeated(one(1, SummaryPoint)) })),
  metadata: attributes(12),
})

export type MetricMessage = ReadMessage<typeof Metric.fields>
export type NumberPointMessage = ReadMessage<typeof NumberPoint.fields>
export type HistogramPointMessage = ReadMessage<typeof HistogramPoint.fields>
export type ExponentialPointMessage = ReadMessage<typeof ExponentialPoint.fields>
export type SummaryPointMessage = ReadMessage<typeof SummaryPoint.fields>
export type BucketsMessage = ReadMessage<typeof Buckets.fields>
export type ExemplarMessage = ReadMessage<typeof Exemplar.fields>
