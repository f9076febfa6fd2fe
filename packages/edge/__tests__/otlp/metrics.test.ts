import { expect, test } from '@jest/globals'
import { Attributes } from '../../src/otlp/attributes.ts'
import { OtlpEvents } from '../../src/otlp/events.ts'

/** The events of one metric, as JSON has them. */
function eventsOf(metric: object): unknown[] {
  const request = { resourceMetrics: [{ scopeMetrics: [{ metrics: [metric] }] }] }
  const body = { bytes: Buffer.from(JSON.stringify(request)), encoding: 'json' } as const
  const parts = { ...body, attributes: new Attributes(new Set(['http.route'])), growth: () => {}, messages: () => {} }
  const lines = Buffer.concat([...new OtlpEvents('metrics', parts).lines()])
  return lines
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const AT = { timeUnixNano: '1795350616541350047', startTimeUnixNano: '5' }
/** As numbers of JavaScript, which lose digits: that none is lost is tested over HTTP. */
const TIMES = { _time: Number(AT.timeUnixNano), start_time: 5 }

test('a gauge has its value, as a whole number or with a decimal point', () => {
  const text = (metric: object) => JSON.stringify(eventsOf({ name: 'g', gauge: { dataPoints: [metric] } }))
  expect(text({ asInt: '5' })).toContain('"value":5,')
  const dataPoints = [{ ...AT, asDouble: 2.5 }, { asDouble: 'NaN' }, { flags: 1 }]
  expect(eventsOf({ name: 'g', unit: 's', gauge: { dataPoints } })).toEqual([
    { name: 'g', unit: 's', type: 'gauge', ...TIMES, value: 2.5 },
    { name: 'g', unit: 's', type: 'gauge', value: null },
    { name: 'g', unit: 's', type: 'gauge', flags: 1 },
  ])
})

test('a sum says whether it only grows, and from when', () => {
  const sum = { aggregationTemporality: 1, isMonotonic: true, dataPoints: [{ ...AT, asInt: 3 }] }
  expect(eventsOf({ name: 's', sum })).toEqual([
    { name: 's', type: 'sum', aggregation_temporality: 'delta', is_monotonic: true, ...TIMES, value: 3 },
  ])
})

test('a histogram has its buckets, and no minimum where none was sent', () => {
  const exemplars = [{ timeUnixNano: '7', asDouble: 1.5, spanId: 'EEE19B7EC3C1B174' }]
  const point = { ...AT, count: '3', sum: 0, bucketCounts: ['1', '2'], explicitBounds: [10], exemplars }
  expect(eventsOf({ name: 'h', histogram: { aggregationTemporality: 2, dataPoints: [point] } })).toEqual([
    {
      name: 'h',
      type: 'histogram',
      aggregation_temporality: 'cumulative',
      ...TIMES,
      count: 3,
      sum: 0,
      explicit_bounds: [10],
      bucket_counts: [1, 2],
      exemplars: [{ timestamp: 7, value: 1.5, span_id: 'eee19b7ec3c1b174' }],
    },
  ])
})

test('an exponential histogram has its scale and the buckets of both sides', () => {
  const negative = { offset: -3, bucketCounts: ['4'] }
  const point = { count: 4, scale: -1, zeroCount: '2', zeroThreshold: 0.5, negative, max: -1 }
  expect(eventsOf({ name: 'e', exponentialHistogram: { dataPoints: [point] } })).toEqual([
    {
      name: 'e',
      type: 'exponential_histogram',
      count: 4,
      max: -1,
      scale: -1,
      zero_count: 2,
      zero_threshold: 0.5,
      negative: { offset: -3, bucket_counts: [4] },
    },
  ])
})

test('a summary has its quantiles, and attributes are placed as those of spans', () => {
  const attributes = [
    { key: 'http.route', value: { stringValue: '/a' } },
    { key: 'tenant', value: { stringValue: 't' } },
  ]
  const dataPoints = [{ count: 2, sum: 3.5, quantileValues: [{ quantile: 0.5, value: 1.5 }], attributes }]
  expect(eventsOf({ name: 'q', summary: { dataPoints } })).toEqual([
    {
      name: 'q',
      type: 'summary',
      count: 2,
      sum: 3.5,
      quantiles: [{ quantile: 0.5, value: 1.5 }],
      attributes: { http: { route: '/a' }, custom: { tenant: 't' } },
    },
  ])
})

test('points are written a piece at a time, so that long texts of their metric do not become one piece', () => {
  const request = (points: number) => ({
    resourceMetrics: [
      {
        scopeMetrics: [
          { metrics: [{ name: 'x'.repeat(20_000), gauge: { dataPoints: Array.from({ length: points }, () => ({})) } }] },
        ],
      },
    ],
  })
  const made: number[] = []
  const parts = { encoding: 'json', attributes: new Attributes(new Set()), growth: (bytes: number) => made.push(bytes) } as const
  const bytes = Buffer.from(JSON.stringify(request(1_000)))
  const events = new OtlpEvents('metrics', { ...parts, bytes, messages: () => {} })
  for (const piece of events.lines()) expect(piece.length).toBeLessThan(200_000)
  expect(made.at(-1)).toBeGreaterThan(1_000 * 20_000 - 200_000)
})
