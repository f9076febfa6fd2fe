/**
 * Sends requests of OTLP over a real socket, and reads answers in both encodings.
 */
import protobuf from 'protobufjs'
import type { RunningService } from '../../../../__tests__/support/service.ts'
import type { SignalName } from '../../src/otlp/levels.ts'
import { messageType, Response, Status } from '../../src/otlp/messages.ts'

/** The messages with lists, as clients of the protocol write them; those in the lists are the service's own. */
const { root } = messageType('Span')
protobuf.parse(
  `edition = "2023";
message TracesRequest { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; string schema_url = 3; }
message ScopeSpans { Scope scope = 1; repeated Span spans = 2; string schema_url = 3; }

message LogsRequest { repeated ResourceLogs resource_logs = 1; }
message ResourceLogs { Resource resource = 1; repeated ScopeLogs scope_logs = 2; string schema_url = 3; }
message ScopeLogs { Scope scope = 1; repeated LogRecord log_records = 2; string schema_url = 3; }

message MetricsRequest { repeated ResourceMetrics resource_metrics = 1; }
message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; string schema_url = 3; }
message ScopeMetrics { Scope scope = 1; repeated Metric metrics = 2; string schema_url = 3; }
message Metric {
  string name = 1; string description = 2; string unit = 3; Gauge gauge = 5; Sum sum = 7; Histogram histogram = 9;
  ExponentialHistogram exponential_histogram = 10; Summary summary = 11; repeated KeyValue metadata = 12;
}
message Gauge { repeated NumberPoint data_points = 1; }
message Sum { repeated NumberPoint data_points = 1; int32 aggregation_temporality = 2; bool is_monotonic = 3; }
message Histogram { repeated HistogramPoint data_points = 1; int32 aggregation_temporality = 2; }
message ExponentialHistogram { repeated ExponentialPoint data_points = 1; int32 aggregation_temporality = 2; }
message Summary { repeated SummaryPoint data_points = 1; }
`,
  root as protobuf.Root,
)

const REQUESTS = {
  traces: root.lookupType('TracesRequest'),
  logs: root.lookupType('LogsRequest'),
  metrics: root.lookupType('MetricsRequest'),
} as const

/** @returns a request in protobuf */
export const encodeRequest = (signal: SignalName, request: object): Buffer =>
  Buffer.from(REQUESTS[signal].encode(request).finish())

type Target = Pick<RunningService, 'url' | 'token'>

export interface OtlpAnswer {
  status: number
  headers: Headers
  bytes: Buffer
}

export async function sendOtlp(
  service: Target,
  signal: 'traces' | 'logs' | 'metrics',
  body: object | Uint8Array,
  headers: Record<string, string> = {},
): Promise<OtlpAnswer> {
  const isBytes = body instanceof Uint8Array
  const response = await fetch(`${service.url}/v1/${signal}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.token}`,
      'content-type': isBytes ? 'application/x-protobuf' : 'application/json',
      'x-axiom-dataset': signal,
      ...headers,
    },
    body: isBytes ? new Uint8Array(body) : JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** The answer of protobuf, with integers as texts. */
export const readAnswer = ({ bytes }: OtlpAnswer) => JSON.parse(JSON.stringify(Response.decode(bytes), withTexts))
export const readStatus = ({ bytes }: OtlpAnswer) => Status.decode(bytes).toJSON()

function withTexts(_key: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'low' in value ? String(value) : value
}

/** A request of one span in JSON. */
export function oneSpan(span: object, resource: object[] = []): object {
  return { resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ spans: [span] }] }] }
}
