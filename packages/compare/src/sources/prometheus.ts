/**
 * Prometheus as a source, and with it Mimir, Thanos, VictoriaMetrics and Grafana Cloud. Finds the metrics with a service's traffic,
 * errors and latencies. Counters may restart at zero, which `increase` and `rate` handle. Source:
 * https://prometheus.io/docs/prometheus/latest/querying/api/.
 */
import { ComparisonError } from '../comparison.ts'
import { askMatrix, createMatrixApi, type MatrixColumn, type MatrixQuery, toQuery } from './matrix.ts'
import { bucketMsOf, type CreateSource, quoteText, readService, roundUp } from './source.ts'

interface MetricSet {
  /** The counter of requests. */
  total: string
  /** The histogram of durations, without `_bucket`, which may be a native one; '' if there is none. */
  histogram: string
  /** If its name does not say it, and it is not of seconds. */
  unit?: 'ms'
  /** A selector of the series that count each request once. */
  only?: string
  /** A selector of failures, if their label is not one of {@link STATUS_LABELS}. */
  failed?: string
}

const GRPC_FAILED = 'grpc_code=~"Unknown|DeadlineExceeded|Unimplemented|Internal|Unavailable|DataLoss"'

/** Metrics that OpenTelemetry's Collector and Tempo make from spans. */
const SPANS = { only: 'span_kind="SPAN_KIND_SERVER"', failed: 'status_code="STATUS_CODE_ERROR"' }

/** The metrics with which servers, proxies, meshes and OpenTelemetry count requests; the first that exists is used. */
const METRIC_SETS: readonly MetricSet[] = [
  { total: 'http_server_request_duration_seconds_count', histogram: 'http_server_request_duration_seconds' },
  { total: 'http_server_duration_milliseconds_count', histogram: 'http_server_duration_milliseconds' },
  // The same, for exporters that add no units to names.
  { total: 'http_server_request_duration_count', histogram: 'http_server_request_duration' },
  { total: 'http_server_duration_count', histogram: 'http_server_duration', unit: 'ms' },
  { total: 'istio_requests_total', histogram: 'istio_request_duration_milliseconds', only: 'reporter=~"destination|waypoint"' },
  { total: 'nginx_ingress_controller_requests', histogram: 'nginx_ingress_controller_request_duration_seconds' },
  { total: 'traefik_service_requests_total', histogram: 'traefik_service_request_duration_seconds' },
  { total: 'http_server_requests_seconds_count', histogram: 'http_server_requests_seconds' },
  { total: 'http_requests_total', histogram: 'http_request_duration_seconds' },
  { total: 'http_request_duration_seconds_count', histogram: 'http_request_duration_seconds' },
  { total: 'grpc_server_handled_total', histogram: 'grpc_server_handling_seconds', failed: GRPC_FAILED },
  { total: 'traces_span_metrics_calls_total', histogram: 'traces_span_metrics_duration_milliseconds', ...SPANS },
  { total: 'traces_spanmetrics_calls_total', histogram: 'traces_spanmetrics_latency', ...SPANS },
  { total: 'nginx_http_requests_total', histogram: '' },
]

/** The label `job` of a service with a namespace in OpenTelemetry: `namespace/name`. */
const NAMESPACED_JOB = 'job of a namespace'
/** Labels that name a service, the preferred first. */
const SERVICE_LABELS =
  'service service_name job app application app_kubernetes_io_name destination_service_name destination_workload exported_service exported_job ingress'
    .split(' ')
    .concat(NAMESPACED_JOB)
/** Labels that distinguish services of the same name. */
const PLACE_LABELS =
  'namespace service_namespace k8s_namespace_name destination_service_namespace exported_namespace cluster k8s_cluster_name environment env deployment_environment deployment_environment_name'.split(
    ' ',
  )
const STATUS_LABELS = ['http_response_status_code', 'http_status_code', 'response_code', 'status_code', 'code', 'status']

/** The end of an address that was copied from a browser or another tool. */
const PAGE_OR_API = /\/(?:graph|query|api\/v1(?:\/query(?:_range)?)?)$/
/** How long ago a metric may have had its last sample. */
const SEEN = '1h'
/** `increase` needs two samples, and one may be missed. */
const SAMPLES_MIN = 3
const COUNTED_MS = 600_000
/** Has a value if any target was scraped. There is nothing like it for pushed metrics. */
const COLLECTED = 'count(count_over_time(up[$__interval]))'

type Labels = Readonly<Record<string, string>>

/** The metrics that a service has. */
interface FoundMetrics {
  set: MetricSet
  /** The selector of the service's series, within braces. */
  selector: string
  /** Whether requests are counted by the native histogram, because there is no counter. */
  isCountedByHistogram: boolean
  /** The kind of the latencies' buckets; '' if there are none. Classic ones are series of their own. */
  buckets: 'classic' | 'native' | ''
}

export const createPrometheusSource: CreateSource = (exchange, { path, service, afterMs, tenant, mayNameOthers = true }) => {
  const api = createMatrixApi(exchange, `${path.replace(PAGE_OR_API, '')}/api/v1`, tenant)
  let stepMs = bucketMsOf(afterMs)
  return {
    ask: (query, range) => askMatrix(api, query, range, { stepMs, collected: COLLECTED }),
    async chooseQueries(timeMs) {
      const ask = async (query: string) => (await api.query(query, timeMs)).series
      const labelsOf = async (query: string) => (await ask(query)).map(({ metric }) => metric)
      const found = await labelsOf(findMetricsQuery(service))
      const metrics = readMetrics(found, service)
      if (!metrics) throw new ComparisonError(describeNone(service, mayNameOthers ? await labelsOf(SERVICES_QUERY) : undefined))
      const [samples] = await ask(`max(count_over_time(${countedOf(metrics)}[10m]))`)
      const count = Number(samples?.values[0]?.[1] ?? 0)
      if (count > 0) stepMs = Math.max(stepMs, roundUp((SAMPLES_MIN * COUNTED_MS) / count, 1_000))
      const told = await labelsOf(tellApartQuery(metrics))
      const { name } = readService(service)
      const note = describePlaces(name, told)
      const queries = metricQueries(name, metrics, metrics.set.failed ?? readStatus(told))
      return queries.map((query) => ({ ...query, ...(note !== undefined && { note }) }))
    },
  }
}

function selectorOf(label: string, service: string, set?: MetricSet): string {
  const { name, more } = readService(service)
  const isNamed = label === NAMESPACED_JOB ? `job=~${quoteText(`[^/]+/${quotePattern(name)}`)}` : `${label}=${quoteText(name)}`
  return [isNamed, ...more, ...(set?.only ? [set.only] : [])].join(', ')
}

const quotePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const anyOf = (names: readonly string[]) => `__name__=~"${[...new Set(names)].join('|')}"`

/** @returns the query whose series show, by `__name__` and `found_by`, which metrics a service has and which label names it */
function findMetricsQuery(service: string): string {
  const names = METRIC_SETS.flatMap(({ total, histogram }) => [
    total,
    ...(histogram === '' ? [] : [`${histogram}_bucket`, histogram]),
  ])
  const by = (label: string) => {
    // A summary has the name of a native histogram, and quantiles.
    const seen = `last_over_time({${anyOf(names)}, quantile="", ${selectorOf(label, service)}}[${SEEN}])`
    return `label_replace(count by (__name__) (${seen}), "found_by", "${label}", "", "")`
  }
  return SERVICE_LABELS.map(by).join(' or ')
}

/**
 * @param found labels of the answer to {@link findMetricsQuery}
 * @returns `undefined` if there is no known metric
 */
function readMetrics(found: readonly Labels[], service: string): FoundMetrics | undefined {
  for (const set of METRIC_SETS) {
    for (const label of SERVICE_LABELS) {
      const has = (name: string) => found.some((one) => one.__name__ === name && one.found_by === label)
      const [isCounted, isNative] = [has(set.total), set.histogram !== '' && has(set.histogram)]
      if (!isCounted && !isNative) continue
      const buckets = has(`${set.histogram}_bucket`) ? 'classic' : isNative ? 'native' : ''
      return { set, selector: selectorOf(label, service, set), isCountedByHistogram: !isCounted, buckets }
    }
  }
  return undefined
}

/** Has a series for each service with counted requests. */
const SERVICES_QUERY = `count by (${SERVICE_LABELS.filter((label) => label !== NAMESPACED_JOB).join(', ')}) (last_over_time({${anyOf(
  METRIC_SETS.flatMap(({ total, histogram }) => (histogram === '' ? [total] : [total, histogram])),
)}}[${SEEN}]))`
/** How many services a message names. */
const NAMED_MAX = 8

/** @param others labels of the answer to {@link SERVICES_QUERY}, unless other services are not to be named */
function describeNone(service: string, others: readonly Labels[] | undefined): string {
  const { name } = readService(service)
  const names = (others ?? []).map((labels) => SERVICE_LABELS.map((label) => labels[label]).find((value) => value) ?? '')
  const known = [...new Set(names.filter((one) => one !== ''))].sort()
  const more = known.length > NAMED_MAX ? `, and ${known.length - NAMED_MAX} more` : ''
  const there =
    known.length === 0 ? 'It has none of any service. ' : `It has those of ${known.slice(0, NAMED_MAX).join(', ')}${more}. `
  return `Prometheus has no metric of requests, such as http_requests_total, with a label that is ${JSON.stringify(name)} (service, job, app and the like) in the hour before. ${others ? there : ''}Check the name of the service, or give queries.`
}

/** The metric with a sample at each scrape: the counter of requests, or the native histogram. */
function countedOf({ set, selector, isCountedByHistogram }: FoundMetrics, more = ''): string {
  return `${isCountedByHistogram ? set.histogram : set.total}{${selector}${more && `, ${more}`}}`
}

/** @returns the query whose series have the labels that may distinguish requests of the service */
function tellApartQuery(metrics: FoundMetrics): string {
  return `count by (${[...STATUS_LABELS, ...PLACE_LABELS].join(', ')}) (last_over_time(${countedOf(metrics)}[${SEEN}]))`
}

/**
 * @param told labels of the answer to {@link tellApartQuery}
 * @returns a note if there are several services of this name
 */
function describePlaces(name: string, told: readonly Labels[]): string | undefined {
  for (const label of PLACE_LABELS) {
    const values = [...new Set(told.map((one) => one[label] ?? '').filter((value) => value !== ''))].sort()
    const [first] = values
    if (first === undefined || values.length === 1) continue
    const few = `${values.slice(0, NAMED_MAX).join(', ')}${values.length > NAMED_MAX ? ', …' : ''}`
    return `Prometheus has ${name} with several values of ${label} (${few}), which are judged together. Name one of them as ${name}{${label}=${quoteText(first)}}.`
  }
  return undefined
}

/** @returns the selector of failures by the label with the status of a request; `undefined` if no series has one */
function readStatus(found: readonly Labels[]): string | undefined {
  const label = STATUS_LABELS.find((name) => found.some((one) => /^[1-5](?:\d\d|xx)$/i.test(one[name] ?? '')))
  return label && `${label}=~"5..|5xx"`
}

function metricQueries(name: string, metrics: FoundMetrics, bad: string | undefined): MatrixQuery[] {
  const { set, selector, isCountedByHistogram, buckets } = metrics
  const range = '[$__interval]'
  const count = (more = '') => {
    const increase = `increase(${countedOf(metrics, more)}${range})`
    return isCountedByHistogram ? `sum(histogram_count(${increase}))` : `sum(${increase})`
  }
  const requests = count()
  const failed = `${count(bad)} or 0 * ${requests}`
  const rate =
    buckets === 'classic'
      ? `sum by (le) (rate(${set.histogram}_bucket{${selector}}${range}))`
      : `sum(rate(${set.histogram}{${selector}}${range}))`
  const quantile = (p: number) => `histogram_quantile(${p / 100}, ${rate})`
  const unit = set.unit ?? (/milliseconds$/.test(set.histogram) ? 'ms' : 's')
  const worse = { direction: 'higher-is-worse' } as const
  const counted: MatrixColumn = { name: 'requests', aggregation: 'count', query: requests }
  const percentiles = [50, 95, 99].map((p): MatrixColumn => ({ name: `p${p}`, aggregation: 'percentile', query: quantile(p) }))
  return [
    toQuery(`${name} traffic`, [counted]),
    ...(bad === undefined
      ? []
      : [{ ...toQuery(`${name} errors`, [{ name: 'failed', aggregation: 'countif', query: failed }, counted]), ...worse }]),
    ...(buckets === '' ? [] : [{ ...toQuery(`${name} duration (${unit})`, percentiles), ...worse }]),
  ]
}
