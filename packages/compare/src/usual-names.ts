/**
 * The names that servers, proxies, loggers and OpenTelemetry give to the same fields, from the best to the worst. The default queries, the
 * carriers of a change, the versions seen in events, and the columns and indexes beside the events all go by this table.
 */
const split = (names: string): readonly string[] => names.split(' ')

/** By what a field is. The fields of nested objects and keys with dots have dots in these names. */
export const USUAL_NAMES = {
  status: split(
    'http.response.status_code attributes.http.response.status_code http.status_code attributes.http.status_code status_code statusCode http_status status response.status res.statusCode code',
  ),
  level: split('level severity SeverityText severity_text log.level loglevel'),
  /** These say their unit. */
  milliseconds: split('duration_ms durationMs latency_ms latencyMs elapsed_ms response_time_ms responseTime request_time_ms ms'),
  duration: split('duration latency elapsed response_time request_time took http.server.request.duration'),
  version: split('version service.version release commit'),
  service: split('service.name service service_name app application'),
  environment: split('deployment.environment.name deployment.environment environment env'),
  route: split('route http.route path url.path endpoint operation method http.request.method http.method'),
  place: split('region zone host pod instance hostname host.name'),
  bytes: split('bytes bytes_sent bytes_received body_bytes_sent content_length http.response.body.size http.request.body.size'),
  message: split('message msg error exception.type error.message error.type body log'),
  /** Of many values, each in some events. */
  path: split('path url.path url'),
  /** Of these nearly every event has another. */
  id: split('trace_id trace trace.id span_id span.id parent_span_id parent.id request_id correlation_id'),
}
