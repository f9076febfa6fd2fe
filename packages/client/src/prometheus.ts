/**
 * Prometheus' query API, and so that of Mimir, Thanos, VictoriaMetrics and Grafana Cloud: instant queries and ranges. It serves
 * comparisons. Source: https://prometheus.io/docs/prometheus/latest/querying/api/.
 */
import { type CallOptions, runCall } from './calls.ts'
import type { Connection } from './connection.ts'
import { parseJson, type Reply, unexpected } from './reply.ts'

/** One series: its labels, and its values with their times in seconds since the epoch. Values are texts, such as `NaN`. */
export interface PrometheusSeries {
  metric: Readonly<Record<string, string>>
  values: readonly (readonly [time: number, value: string])[]
}

export interface PrometheusClient {
  /** @param timeMs milliseconds since the epoch */
  query(promql: string, timeMs: number, options?: CallOptions): Promise<PrometheusSeries[]>
  /** The values at `startMs`, and every `stepMs` after it up to `endMs`, both included. */
  queryRange(
    promql: string,
    range: { startMs: number; endMs: number; stepMs: number },
    options?: CallOptions,
  ): Promise<PrometheusSeries[]>
}

const seconds = (ms: number) => String(ms / 1_000)

export function createPrometheusClient(connection: Connection): PrometheusClient {
  // As a form in the body: a long query in the address would fill each message about it, and some servers refuse it.
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const ask = (path: string, parameters: Record<string, string>, options: CallOptions = {}) => {
    const request = { method: 'POST', path: `/api/v1/${path}`, headers, body: String(new URLSearchParams(parameters)) } as const
    return runCall(connection, { request, read: readSeries }, options)
  }
  return {
    query: (query, timeMs, options) => ask('query', { query, time: seconds(timeMs) }, options),
    queryRange: (query, { startMs, endMs, stepMs }, options) =>
      ask('query_range', { query, start: seconds(startMs), end: seconds(endMs), step: seconds(stepMs) }, options),
  }
}

interface Answer {
  data: { result: { metric: Record<string, string>; value?: [number, string]; values?: [number, string][] }[] }
}

/** @throws ProtocolError */
function readSeries(reply: Reply): PrometheusSeries[] {
  const body = parseJson(reply) as Partial<Answer> | null
  const result = body?.data?.result
  if (!Array.isArray(result) || !result.every((one) => typeof one?.metric === 'object' && (one.value ?? one.values)))
    throw unexpected(reply, "a vector or a matrix, as Prometheus' query API answers")
  return result.map(({ metric, value, values = value ? [value] : [] }) => ({ metric, values }))
}
