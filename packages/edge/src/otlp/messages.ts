/**
 * The messages of OTLP 1.11, as its definition has them. What this service does not keep (references to entities, indexes of profiles) is
 * not described, and skipped. A message that holds lists of others has only its own fields here: where the lists are is in levels.ts.
 */
import protobuf from 'protobufjs'

/** In this edition what was not sent is told from what is zero. Texts are held to UTF-8 by who reads them (protobuf-source.ts). */
const { root } = protobuf.parse(`edition = "2023";
option features.utf8_validation = NONE;
message AnyValue {
  string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4;
  ArrayValue array_value = 5; KeyValueList kvlist_value = 6; bytes bytes_value = 7;
}
message ArrayValue { repeated AnyValue values = 1; }
message KeyValueList { repeated KeyValue values = 1; }
message KeyValue { string key = 1; AnyValue value = 2; }

message Request {}
message ResourceHead { Resource resource = 1; string schema_url = 3; }
message ScopeHead { Scope scope = 1; string schema_url = 3; }
message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
message Scope { string name = 1; string version = 2; repeated KeyValue attributes = 3; uint32 dropped_attributes_count = 4; }

message LogRecord {
  fixed64 time_unix_nano = 1; int32 severity_number = 2; string severity_text = 3; AnyValue body = 5;
  repeated KeyValue attributes = 6; uint32 dropped_attributes_count = 7; fixed32 flags = 8; bytes trace_id = 9; bytes span_id = 10;
  fixed64 observed_time_unix_nano = 11; string event_name = 12;
}

message Span {
  bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
  fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
  repeated KeyValue attributes = 9; uint32 dropped_attributes_count = 10; repeated Event events = 11; uint32 dropped_events_count = 12;
  repeated Link links = 13; uint32 dropped_links_count = 14; SpanStatus status = 15; fixed32 flags = 16;
}
message Event { fixed64 time_unix_nano = 1; string name = 2; repeated KeyValue attributes = 3; uint32 dropped_attributes_count = 4; }
message Link {
  bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; repeated KeyValue attributes = 4;
  uint32 dropped_attributes_count = 5; fixed32 flags = 6;
}
message SpanStatus { string message = 2; int32 code = 3; }

message MetricHead { string name = 1; string description = 2; string unit = 3; repeated KeyValue metadata = 12; }
message DataHead { int32 aggregation_temporality = 2; bool is_monotonic = 3; }
message NumberPoint {
  fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; double as_double = 4; repeated Exemplar exemplars = 5;
  sfixed64 as_int = 6; repeated KeyValue attributes = 7; uint32 flags = 8;
}
message HistogramPoint {
  fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; fixed64 count = 4; double sum = 5;
  repeated fixed64 bucket_counts = 6; repeated double explicit_bounds = 7; repeated Exemplar exemplars = 8;
  repeated KeyValue attributes = 9; uint32 flags = 10; double min = 11; double max = 12;
}
message ExponentialPoint {
  repeated KeyValue attributes = 1; fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; fixed64 count = 4; double sum = 5;
  sint32 scale = 6; fixed64 zero_count = 7; Buckets positive = 8; Buckets negative = 9; uint32 flags = 10;
  repeated Exemplar exemplars = 11; double min = 12; double max = 13; double zero_threshold = 14;
}
message Buckets { sint32 offset = 1; repeated uint64 bucket_counts = 2; }
message SummaryPoint {
  fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; fixed64 count = 4; double sum = 5;
  repeated Quantile quantile_values = 6; repeated KeyValue attributes = 7; uint32 flags = 8;
}
message Quantile { double quantile = 1; double value = 2; }
message Exemplar {
  fixed64 time_unix_nano = 2; double as_double = 3; bytes span_id = 4; bytes trace_id = 5; sfixed64 as_int = 6;
  repeated KeyValue filtered_attributes = 7;
}

message Response { PartialSuccess partial_success = 1; }
message PartialSuccess { int64 rejected = 1; string error_message = 2; }
message Status { int32 code = 1; string message = 2; repeated GrpcAny details = 3; }
message GrpcAny { string type_url = 1; bytes value = 2; }
message RetryInfo { Duration retry_delay = 1; }
message Duration { int64 seconds = 1; }
`)
root.resolveAll()
for (const { ctor, fieldsArray } of root.nestedArray as protobuf.Type[]) {
  const { prototype } = ctor as { prototype: Record<string, unknown> }
  // What was not sent is not there, as in JSON.
  for (const { name } of fieldsArray) prototype[name] = undefined
}

export const messageType = (name: string): protobuf.Type => root.lookupType(name)

/** How the rest of a request is answered: what was accepted in part, and what failed. */
export const Response = messageType('Response')
/** An error, of HTTP and of gRPC. */
export const Status = messageType('Status')
/** When to send again, in an error of gRPC. */
export const RetryInfo = messageType('RetryInfo')
