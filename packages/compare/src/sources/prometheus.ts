/**
 * Prometheus as a source, and so Mimir, Thanos, VictoriaMetrics and Grafana Cloud: which metrics of a service say what its traffic, errors
 * and latencies are. Counters may start again at zero: `increase` and `rate` know that.
 * Source: https://prometheus.io/docs/prometheus/latest/querying/api/.
 */
import { ComparisonError } from '../comparison.ts'
import { askMatrix, createMatrixApi, type MatrixColumn, type MatrixQuery } from './matrix.ts'
import { bucketMsOf, type CreateSource, quoteText, readService, roundUp } from './source.ts'

interface MetricSet {
  /** The counter of requests. */
  total: string
  /** The histogram of durations, without `_bucket`; '' where there is none. */
  histogram: string
  unit: 's' | 'ms'
  /** What narrows the series to those that count each request once. */
  only?: string
  /** What is a failure, where the label is not one of {@link STATUS_LABELS}. */
  failed?: string
}

const GRPC_FAILED = 'grpc_code=~"Unknown|DeadlineExceeded|Unimplemented|Internal|Unavailable|DataLoss"'

/** The metrics by which servers, proxies, meshes and OpenTelemetry count requests; the first that is there is taken. */
const METRIC_SETS: readonly MetricSet[] = [
  { total: 'http_server_request_duration_seconds_count', histogram: 'http_server_request_duration_seconds', unit: 's' },
  { total: 'http_server_duration_milliseconds_count', histogram: 'http_server_duration_milliseconds', unit: 'ms' },
  {
    total: 'istio_requests_total',
    histogram: 'istio_request_duration_milliseconds',
    unit: 'ms',
    only: 'reporter=~"destination|waypoint"',
  },
  {
    total: 'nginx_ingress_controller_requests',
    histogram: 'nginx_ingress_controller_request_duration_seconds',
    unit: 's',
  },
  { total: 'traefik_service_requests_total', histogram: 'traefik_service_request_duration_seconds', unit: 's' },
  { total: 'http_server_requests_seconds_count', histogram: 'http_server_requests_seconds', unit: 's' },
  { total: 'http_requests_total', histogram: 'http_request_duration_seconds', unit: 's' },
  { total: 'http_request_duration_seconds_count', histogram: 'http_request_duration_seconds', unit: 's' },
  {
    total: 'grpc_server_handled_total',
    histogram: 'grpc_server_handling_seconds',
    unit: 's',
    failed: GRPC_FAILED,
  },
  { total: 'nginx_http_requests_total', histogram: '', unit: 's' },
]

/** Labels that name a service, in the order in which they are looked at. */
const SERVICE_LABELS = [
  'service',
  'service_name',
  'job',
  'app',
  'application',
  'app_kubernetes_io_name',
  'destination_service_name',
  'destination_workload',
  'exported_service',
  'exported_job',
  'ingress',
]
const STATUS_LABELS = ['http_response_status_code', 'http_status_code', 'response_code', 'status_code', 'code', 'status']

/** How far back a metric may have been seen last. */
const SEEN = '1h'
/** `increase` needs two samples, and one may be missed. */
const SAMPLES_MIN = 3
const COUNTED_MS = 600_000
/** Has a value where any target was scraped; nothing says so of what is pushed. */
const COLLECTED = 'count(count_over_time(up[$__interval]))'

type Labels = Readonly<Record<string, string>>

/** What was found of a service. */
interface FoundMetrics {
  set: MetricSet
  /** What selects the series of the service, within braces. */
  selector: string
  /** The histogram has buckets as series of their own. */
  hasBuckets: boolean
}

export const createPrometheusSource: CreateSource = (exchange, { path, service, windowMs, tenant }) => {
  const api = createMatrixApi(exchange, `${path}/api/v1`, tenant)
  let stepMs = bucketMsOf(windowMs)
  return {
    ask: (query, range) => askMatrix(api, query, range, { stepMs, collected: COLLECTED }),
    async chooseQueries(timeMs) {
      const ask = async (query: string) => (await api.query(query, timeMs)).series
      const labelsOf = async (query: string) => (await ask(query)).map(({ metric }) => metric)
      const found = await labelsOf(findMetricsQuery(service))
      const metrics = readMetrics(found, service)
      if (!metrics) throw new ComparisonError(describeNone(found, service))
      const [samples] = await ask(`max(count_over_time(${metrics.set.total}{${metrics.selector}}[10m]))`)
      const count = Number(samples?.values[0]?.[1] ?? 0)
      if (count > 0) stepMs = Math.max(stepMs, roundUp((SAMPLES_MIN * COUNTED_MS) / count, 1_000))
      const failed = metrics.set.failed ?? readStatus(await labelsOf(findStatusQuery(metrics)))
      return metricQueries(readService(service).name, metrics, failed)
    },
  }
}

function selectorOf(label: string, service: string, set?: MetricSet): string {
  const { name, more } = readService(service)
  return [`${label}=${quoteText(name)}`, ...more, ...(set?.only ? [set.only] : [])].join(', ')
}

/** @returns the query whose series say, by `__name__` and `found_by`, which metrics there are for a service, and which label names it */
function findMetricsQuery(service: string): string {
  const names = METRIC_SETS.flatMap(({ total, histogram }) => [
    total,
    ...(histogram === '' ? [] : [`${histogram}_bucket`, histogram]),
  ])
  const by = (label: string) => {
    const seen = `last_over_time({__name__=~"${[...new Set(names)].join('|')}", ${selectorOf(label, service)}}[${SEEN}])`
    return `label_replace(count by (__name__) (${seen}), "found_by", "${label}", "", "")`
  }
  return SERVICE_LABELS.map(by).join(' or ')
}

/** @param found labels of the answer to {@link findMetricsQuery} @returns `undefined` where there is nothing that is known */
function readMetrics(found: readonly Labels[], service: string): FoundMetrics | undefined {
  for (const set of METRIC_SETS) {
    for (const label of SERVICE_LABELS) {
      const has = (name: string) => found.some((one) => one.__name__ === name && one.found_by === label)
      if (has(set.total)) return { set, selector: selectorOf(label, service, set), hasBuckets: has(`${set.histogram}_bucket`) }
    }
  }
  return undefined
}

function describeNone(found: readonly Labels[], service: string): string {
  const native = METRIC_SETS.find(({ histogram }) => found.some((one) => one.__name__ === histogram))?.histogram
  const name = JSON.stringify(readService(service).name)
  if (native !== undefined)
    return `Prometheus has ${native} of ${name} as a native histogram alone, which is not read by itself. Give queries, such as "latency: histogram_quantile(0.95, sum(rate(${native}[$__interval])))".`
  return `Prometheus has no metric of requests, such as http_requests_total, with a label that is ${name} (service, job, app and the like) in the hour before. Check the name of the service, or give queries.`
}

/** @returns the query whose series have the labels by which requests of the service may be told apart */
function findStatusQuery({ set, selector }: FoundMetrics): string {
  return `count by (${STATUS_LABELS.join(', ')}) (last_over_time(${set.total}{${selector}}[${SEEN}]))`
}

/** @returns what selects failures by the label that has the status of a request, `undefined` where none has one */
function readStatus(found: readonly Labels[]): string | undefined {
  const label = STATUS_LABELS.find((name) => found.some((one) => /^[1-5](?:\d\d|xx)$/i.test(one[name] ?? '')))
  return label && `${label}=~"5..|5xx"`
}

function metricQueries(name: string, { set, selector, hasBuckets }: FoundMetrics, bad: string | undefined): MatrixQuery[] {
  const range = '[$__interval]'
  const requests = `sum(increase(${set.total}{${selector}}${range}))`
  const failed = `sum(increase(${set.total}{${selector}, ${bad}}${range})) or 0 * ${requests}`
  const quantile = (p: number) =>
    `histogram_quantile(${p / 100}, sum by (le) (rate(${set.histogram}_bucket{${selector}}${range})))`
  const of = (what: string, columns: MatrixColumn[], rest: Partial<MatrixQuery> = {}): MatrixQuery => ({
    name: `${name} ${what}`,
    apl: columns.map(({ query }) => query).join('\n'),
    columns,
    ...rest,
  })
  const worse = { direction: 'higher-is-worse' } as const
  const counted: MatrixColumn = { name: 'requests', aggregation: 'count', query: requests }
  const percentiles = [50, 95, 99].map((p): MatrixColumn => ({ name: `p${p}`, aggregation: 'percentile', query: quantile(p) }))
  return [
    of('traffic', [counted]),
    ...(bad === undefined ? [] : [of('errors', [{ name: 'failed', aggregation: 'countif', query: failed }, counted], worse)]),
    ...(hasBuckets ? [of(`duration (${set.unit})`, percentiles, worse)] : []),
  ]
}
