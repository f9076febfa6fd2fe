/**
 * The names that servers, proxies, loggers, clouds and OpenTelemetry give to the same fields, from the best to the worst. The default
 * queries, the carriers of a change, the versions seen in events, the line of an event on the page, and the columns and indexes beside the
 * events all go by this table. Case and separators do not matter: `status_code`, `statusCode` and `status-code` are one name.
 */
const NAMES = {
  /** The status of HTTP, as a number or as a text of digits. */
  status:
    'http.response.status_code http.status_code http_response.status http_request.status http_status http_response_code response.status_code response.status response_code res.status_code res.status resp_status downstream_status edge_response_status elb_status_code sc_status status_code status http_code result_code code origin_status upstream_status target_status_code backend_status_code',
  level:
    'level severity severity_text log.level level_name error_severity level_display_name level_text severity_label severity_name severity_level syslog_severity_text log_severity lvl sev @l @level log.syslog.severity.name',
  /** These say their unit, or always have milliseconds. */
  milliseconds:
    'duration_ms latency_ms elapsed_ms response_time_ms response_time request_time_ms time_ms took_ms total_ms duration_in_ms duration_millis latency_millis elapsed_millis took_millis elapsed_milliseconds duration_milliseconds total_time_ms request_duration_ms processing_time_ms process_time_ms run_time_ms execution_time_ms wall_time_ms origin_response_duration_ms turn_around_time_m_sec response_latency latencies.request grpc.time_ms http_response.elapsed response.latency ms',
  duration:
    'duration latency elapsed request_time took total_duration http.server.request.duration event.duration http_request.latency request_duration response_duration elapsed_time time_taken time_total total_time time_elapsed process_time processing_time execution_time run_time target_processing_time latency_seconds duration_seconds duration_us elapsed_us duration_ns elapsed_ns upstream_response_time',
  version: 'version service.version release commit',
  service: 'service.name service service_name app application',
  environment: 'deployment.environment.name deployment.environment environment env',
  route: 'route http.route path url.path endpoint operation method http.request.method http.method',
  place: 'region zone host pod instance hostname host.name',
  bytes: 'bytes bytes_sent bytes_received body_bytes_sent content_length http.response.body.size http.request.body.size',
  message: 'message msg error exception.type error.message error.type body log',
  /** Of many values, each in some events. */
  path: 'path url.path url',
  /** Of these nearly every event has another. */
  id: 'trace_id trace trace.id span_id span.id parent_span_id parent.id request_id correlation_id',
}

/** By what a field is. The fields of nested objects and keys with dots have dots in these names. */
export const USUAL_NAMES = Object.assign(
  {} as Readonly<Record<keyof typeof NAMES, readonly string[]>>,
  Object.fromEntries(Object.entries(NAMES).map(([what, names]) => [what, names.split(' ')])),
)

const KINDS = new Map(Object.entries(USUAL_NAMES).flatMap(([kind, names]) => names.map((name) => [spell(name), kind] as const)))

/** @returns what a field is by its name, such as `level`, if that is usual, however it is spelled */
export function kindOfField(name: string): string | undefined {
  return KINDS.get(spell(showDots(name).replace(ATTRIBUTES, '')))
}

type Named = { readonly name: string }

/**
 * @param wrappers matches the objects around a field that do not count
 * @returns finds the fields of these names, in the order of the names; those within another object come after those that are not
 */
export function createFinder(wrappers: RegExp) {
  // A list of a thousand fields is asked for many names, and many times.
  const indexes = new WeakMap<readonly Named[], Map<string, Named[]>>()
  return <T extends Named>(fields: readonly T[], names: readonly string[]): T[] => {
    const index = indexes.get(fields) ?? indexFields(fields, wrappers)
    indexes.set(fields, index)
    return [...new Set(names.flatMap((name) => index.get(spell(name)) ?? []))] as T[]
  }
}

function indexFields(fields: readonly Named[], wrappers: RegExp): Map<string, Named[]> {
  const index = new Map<string, Named[]>()
  const add = (field: Named, name: string) => index.set(name, [...(index.get(name) ?? []), field])
  for (const field of fields) add(field, spell(showDots(field.name)))
  for (const field of fields) add(field, spell(showDots(field.name).replace(wrappers, '')))
  return index
}

/** The objects that OpenTelemetry's attributes are in. */
const ATTRIBUTES = /^(?:attributes|resource)\.(?:custom\.)?/

export const findFields = createFinder(ATTRIBUTES)

/** @returns the name as queries have it: a dot that is part of a key, as in `{"http.status_code": 200}`, has a backslash in catalogs */
export function showDots(name: string): string {
  return name.replaceAll('\\.', '.')
}

function spell(name: string): string {
  return name.replaceAll(/[\s._-]/g, '').toLowerCase()
}
