/**
 * What is compared, from Prometheus in the place of the service's own datasets: finds the metrics of a service, and asks queries in
 * PromQL bucket by bucket.
 */
import type { CallOptions } from '@deployment-annotations/client/calls'
import { openConnection } from '@deployment-annotations/client/connection'
import { createPrometheusClient, type PrometheusClient } from '@deployment-annotations/client/prometheus'
import type { Transport } from '@deployment-annotations/client/transport'
import { type Ask, ComparisonError } from '@deployment-annotations/compare/comparison'
import type { NamedQuery } from '@deployment-annotations/compare/named-queries'
import {
  countSamplesQuery,
  findMetricsQuery,
  findStatusQuery,
  type MetricQuery,
  metricQueries,
  readMetrics,
  readStatusLabel,
  toTable,
} from '@deployment-annotations/compare/prometheus'
import type { SourceInputs } from './comparison.ts'

/** Where series come from that are no events of the service. */
export interface Source {
  /** @param timeMs when the metrics have to be there. @returns what to look at where nobody says. @throws ComparisonError where nothing is known */
  chooseQueries(timeMs: number): Promise<NamedQuery[]>
  ask: Ask
}

interface SourceOptions {
  /** The window after the event, in milliseconds. */
  windowMs: number
  timeoutMs: number
  userAgent: string
  createTransport: (origin: URL) => Transport
  calls: CallOptions
}

/** A window has about so many buckets, and a bucket at least so many samples: `rate` needs two. */
const BUCKETS = 10
const SAMPLES_MIN = 3
const BUCKET_MS_MIN = 60_000
/** Where nobody can say how often samples are taken. */
const SAMPLE_MS = 15_000
const COUNTED_MS = 600_000

export function openSource(
  { baseUrl, token, service }: SourceInputs,
  { windowMs, createTransport, calls, ...settings }: SourceOptions,
): Source & AsyncDisposable {
  const scheme = token === '' ? 'none' : token.includes(':') ? 'basic' : 'bearer'
  const connection = openConnection({ ...settings, baseUrl, token, scheme, allowHttp: true }, createTransport)
  const source = createSource(createPrometheusClient(connection), { service, windowMs, calls })
  return { ...source, [Symbol.asyncDispose]: () => connection.transport.close() }
}

function createSource(
  prometheus: PrometheusClient,
  { service, windowMs, calls }: Pick<SourceInputs, 'service'> & Pick<SourceOptions, 'windowMs' | 'calls'>,
): Source {
  let stepMs = Math.max(BUCKET_MS_MIN, roundUp(windowMs / BUCKETS, 1_000), SAMPLES_MIN * SAMPLE_MS)
  const ask: Ask = async (query: MetricQuery, { startTime, endTime }) => {
    const columns = query.columns ?? [{ name: 'value', aggregation: 'measurement', promql: query.apl }]
    const range = { startMs: Date.parse(startTime) + stepMs, endMs: Date.parse(endTime), stepMs }
    const answered = []
    for (const { promql, ...column } of columns)
      answered.push({ ...column, series: range.endMs < range.startMs ? [] : await prometheus.queryRange(promql, range, calls) })
    return { tables: [toTable(answered, stepMs)], status: { isPartial: false } }
  }
  return {
    ask,
    async chooseQueries(timeMs) {
      const labelsOf = async (promql: string) => (await prometheus.query(promql, timeMs, calls)).map(({ metric }) => metric)
      const metrics = readMetrics(await labelsOf(findMetricsQuery(service)), service)
      if (!metrics)
        throw new ComparisonError(
          `Prometheus has no metric of requests, such as http_requests_total, with a label that is ${JSON.stringify(service)} (service, job, app and the like) in the hour before. Check the name of the service, or give queries.`,
        )
      const [samples] = await prometheus.query(countSamplesQuery(metrics), timeMs, calls)
      const count = Number(samples?.values[0]?.[1] ?? 0)
      if (count > 0) stepMs = Math.max(stepMs, roundUp((SAMPLES_MIN * COUNTED_MS) / count, 1_000))
      const status = readStatusLabel(await labelsOf(findStatusQuery(metrics)))
      return metricQueries(service, metrics, status, stepMs)
    },
  }
}

const roundUp = (value: number, unit: number) => Math.ceil(value / unit) * unit
