/**
 * Prometheus as a source of what is compared: which metrics of a service say what its traffic, errors and latencies are, and series as
 * the tables that comparisons read. Counters may start again at zero: `increase` and `rate` know that. Pure.
 */
import type { AnsweredTable } from './columns.ts'
import type { NamedQuery } from './named-queries.ts'

/** A query whose columns are asked for one by one. */
export interface MetricQuery extends NamedQuery {
  columns?: readonly { name: string; aggregation: string; promql: string }[]
}

interface MetricSet {
  /** The counter of requests. */
  total: string
  /** The histogram of durations; '' where there is none. */
  buckets: string
  unit: 's' | 'ms'
  /** What narrows the series to those that count each request once. */
  only?: string
}

/** The metrics by which servers, proxies, meshes and OpenTelemetry count requests; the first that is there is taken. */
const METRIC_SETS: readonly MetricSet[] = [
  { total: 'http_server_request_duration_seconds_count', buckets: 'http_server_request_duration_seconds_bucket', unit: 's' },
  { total: 'http_server_duration_milliseconds_count', buckets: 'http_server_duration_milliseconds_bucket', unit: 'ms' },
  {
    total: 'istio_requests_total',
    buckets: 'istio_request_duration_milliseconds_bucket',
    unit: 'ms',
    only: 'reporter="destination"',
  },
  {
    total: 'nginx_ingress_controller_requests',
    buckets: 'nginx_ingress_controller_request_duration_seconds_bucket',
    unit: 's',
  },
  { total: 'http_requests_total', buckets: 'http_request_duration_seconds_bucket', unit: 's' },
  { total: 'http_request_duration_seconds_count', buckets: 'http_request_duration_seconds_bucket', unit: 's' },
  { total: 'nginx_http_requests_total', buckets: '', unit: 's' },
]

/** Labels that name a service, in the order in which they are looked at. */
const SERVICE_LABELS = [
  'service',
  'service_name',
  'job',
  'app',
  'app_kubernetes_io_name',
  'destination_service_name',
  'destination_workload',
  'exported_service',
  'ingress',
]
const STATUS_LABELS = ['http_response_status_code', 'http_status_code', 'response_code', 'status_code', 'code', 'status']

/** How far back a metric may have been seen last. */
const SEEN = '1h'

const text = (value: string) => `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`

/** @returns the query whose series say, by `__name__` and `found_by`, which counters there are for a service, and which label names it */
export function findMetricsQuery(service: string): string {
  const names = METRIC_SETS.map(({ total }) => total).join('|')
  const by = (label: string) => {
    const seen = `last_over_time({__name__=~"${names}", ${label}=${text(service)}}[${SEEN}])`
    return `label_replace(count by (__name__) (${seen}), "found_by", "${label}", "", "")`
  }
  return SERVICE_LABELS.map(by).join(' or ')
}

/** What was found of a service. */
interface FoundMetrics {
  set: MetricSet
  /** What selects the series of the service, within braces. */
  selector: string
}

/** @param found labels of the answer to {@link findMetricsQuery} @returns `undefined` where there is nothing that is known */
export function readMetrics(found: readonly Readonly<Record<string, string>>[], service: string): FoundMetrics | undefined {
  for (const set of METRIC_SETS) {
    for (const label of SERVICE_LABELS) {
      if (found.some((one) => one.__name__ === set.total && one.found_by === label))
        return { set, selector: [`${label}=${text(service)}`, ...(set.only ? [set.only] : [])].join(', ') }
    }
  }
  return undefined
}

/** @returns the query whose series have the labels by which requests of the service may be told apart */
export function findStatusQuery({ set, selector }: FoundMetrics): string {
  return `count by (${STATUS_LABELS.join(', ')}) (last_over_time(${set.total}{${selector}}[${SEEN}]))`
}

/** @returns the query whose value is how many samples a series of the service had in ten minutes */
export function countSamplesQuery({ set, selector }: FoundMetrics): string {
  return `max(count_over_time(${set.total}{${selector}}[10m]))`
}

/** @returns the label that has the status of a request, `undefined` where none has one */
export function readStatusLabel(found: readonly Readonly<Record<string, string>>[]): string | undefined {
  return STATUS_LABELS.find((label) => found.some((one) => /^[1-5](?:\d\d|xx)$/i.test(one[label] ?? '')))
}

/** @param stepMs length of a bucket */
export function metricQueries(
  service: string,
  { set, selector }: FoundMetrics,
  status: string | undefined,
  stepMs: number,
): MetricQuery[] {
  const range = `[${stepMs}ms]`
  const requests = `sum(increase(${set.total}{${selector}}${range}))`
  const failed = `sum(increase(${set.total}{${selector}, ${status}=~"5..|5xx"}${range})) or 0 * ${requests}`
  const quantile = (p: number) => `histogram_quantile(${p / 100}, sum by (le) (rate(${set.buckets}{${selector}}${range})))`
  const column = (name: string, aggregation: string, promql: string) => ({ name, aggregation, promql })
  const of = (name: string, columns: MetricQuery['columns'] & object, rest: Partial<MetricQuery> = {}): MetricQuery => ({
    name: `${service} ${name}`,
    apl: columns.map((one) => one.promql).join('\n'),
    columns,
    ...rest,
  })
  const worse = { direction: 'higher-is-worse' } as const
  return [
    of('traffic', [column('requests', 'count', requests)]),
    ...(status === undefined
      ? []
      : [of('errors', [column('failed', 'countif', failed), column('requests', 'count', requests)], worse)]),
    ...(set.buckets === ''
      ? []
      : [
          of(
            `duration (${set.unit})`,
            [50, 95, 99].map((p) => column(`p${p}`, 'percentile', quantile(p))),
            worse,
          ),
        ]),
  ]
}

/** One column of an answer: its series, by their labels. */
interface AnsweredColumn {
  name: string
  aggregation: string
  series: readonly { metric: Readonly<Record<string, string>>; values: readonly (readonly [time: number, value: string])[] }[]
}

const NS_PER_MS = 1_000_000

/** @returns the table: a value that stands at a time is of the bucket that ends there */
export function toTable(answered: readonly AnsweredColumn[], stepMs: number): AnsweredTable {
  const labels = [...new Set(answered.flatMap(({ series }) => series.flatMap(({ metric }) => Object.keys(metric))))].sort()
  const rows = new Map<string, { time: number; group: (string | null)[]; values: (number | null)[] }>()
  for (const [at, { series, aggregation }] of answered.entries()) {
    for (const { metric, values } of series) {
      const group = labels.map((label) => metric[label] ?? null)
      for (const [seconds, value] of values) {
        const time = Math.round(seconds * 1_000) - stepMs
        const key = JSON.stringify([time, ...group])
        const row = rows.get(key) ?? { time, group, values: answered.map(() => null) }
        row.values[at] = toValue(value, aggregation)
        rows.set(key, row)
      }
    }
  }
  const sorted = [...rows.values()].sort((a, b) => a.time - b.time)
  return {
    fields: [
      { name: '_time' },
      ...labels.map((name) => ({ name })),
      ...answered.map(({ name, aggregation }) => ({ name, agg: { name: aggregation } })),
    ],
    groups: [{ name: '_time' }, ...labels.map((name) => ({ name }))],
    buckets: { field: '_time', size: stepMs * NS_PER_MS },
    columns: [
      sorted.map(({ time }) => new Date(time).toISOString()),
      ...labels.map((_, at) => sorted.map(({ group }) => group[at])),
      ...answered.map((_, at) => sorted.map(({ values }) => values[at])),
    ],
  }
}

/** `increase` goes beyond what it saw, to the ends of its range: a count is a whole number again. */
function toValue(value: string, aggregation: string): number | null {
  const number = Number(value)
  if (!Number.isFinite(number)) return null
  return aggregation === 'count' || aggregation === 'countif' ? Math.round(number) : number
}
