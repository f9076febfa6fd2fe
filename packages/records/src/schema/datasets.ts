/**
 * The rows of the catalog, of requests that write events, and of versions that were seen in events.
 */
import type { DatasetKind } from '@deployment-annotations/contract/dataset'
import {
  createCodec,
  digits,
  integer,
  json,
  number,
  oneOf,
  optional,
  type RecordOf,
  type RowOf,
  stored,
  text,
} from './row-codec.ts'

/** A field that is computed by the query that reads it. */
export interface StoredVirtualField {
  id: string
  name: string
  /** An expression in the query language. */
  expression: string
  /** These three are only stored and shown; they are empty if they were not given. */
  description: string
  type: string
  unit: string
}

const SETTINGS = {
  description: text,
  /** 0 keeps events forever. */
  retentionDays: number,
  kind: oneOf<DatasetKind>(),
  /** The text as it was given; empty if there was none. */
  edgeDeployment: text,
  /** The names of fields that store a whole object as one map. */
  mapFields: json<readonly string[]>(),
  virtualFields: json<readonly StoredVirtualField[]>(),
  /** The names of fields that get a column or an index, besides those whose names are usual. */
  indexedFields: json<readonly string[]>(),
  /** Whether only `_time` is read as the time of an event, and no member such as `timestamp`. */
  strictTime: json<boolean>(),
}
const DATASET = {
  name: text,
  /** The table of its events. */
  table: stored('table_name', text),
  createdAtMs: number,
  updatedAtMs: number,
  /** The id of the token that created it. */
  createdBy: text,
  ...SETTINGS,
}
/** The settings of a dataset that people can change. */
export type DatasetSettings = RecordOf<typeof SETTINGS>
export type StoredDataset = RecordOf<typeof DATASET>
export const SETTINGS_CODEC = createCodec(SETTINGS)
export const DATASET_CODEC = createCodec(DATASET)

export interface DatasetsTable extends RowOf<typeof DATASET> {
  /** `new`: the name is reserved, and the table of events may not exist yet; otherwise `live`. */
  state: string
  /** The version of the catalog at the last change of this row or of its fields. */
  version: bigint
}

const TABLE_LAYOUT = {
  /** The table of the dataset. */
  table: stored('table_name', text),
  field: text,
  /** The kind of column or index; '' if there is no longer anything for the field. */
  kind: text,
}
export type TableLayout = RecordOf<typeof TABLE_LAYOUT>
export const TABLE_LAYOUT_CODEC = createCodec(TABLE_LAYOUT)

/** The columns and indexes of a table of events by field. */
export interface FieldLayoutsTable extends RowOf<typeof TABLE_LAYOUT> {
  /** The same as `datasets.version`. */
  version: bigint
}

const NEW_INGEST_REQUEST = {
  /** A hash over token, dataset and Idempotency-Key; absent if no key was sent. */
  key: optional(text),
  /** A hash over body and options. */
  payload: text,
  /** The table of the dataset. */
  table: stored('table_name', text),
  /** The table in which the rows of a large request wait. */
  stagingTable: optional(text),
  /** Identifies the rows: all rows of the request have this `_sysTime`, and no others. The three times are decimal nanoseconds. */
  sysTimeNs: digits,
  firstTimeNs: digits,
  lastTimeNs: digits,
  /** How many rows the request has; negative while they are still arriving. */
  rows: number,
  /** The answer if everything is stored, as JSON text. */
  result: text,
  /** The service that stores the rows; see leases.ts. */
  holder: text,
}
const INGEST_REQUEST = {
  id: text,
  ...NEW_INGEST_REQUEST,
  /** `storing`: none, some or all of its rows are stored; `done`: all are, and the request was answered. */
  state: oneOf<'storing' | 'done'>(),
  createdAtMs: number,
}
export type NewIngestRequest = RecordOf<typeof NEW_INGEST_REQUEST>
export type StoredIngestRequest = RecordOf<typeof INGEST_REQUEST>
export type IngestRequestsTable = RowOf<typeof INGEST_REQUEST>
export const INGEST_REQUEST_CODEC = createCodec(INGEST_REQUEST)

const SEEN_VERSION = {
  /** Empty if events say none, as the next one is. */
  service: text,
  environment: text,
  version: text,
  /** The time of its first event. */
  firstNs: integer,
  /** The time of its last event, or of one of its last day: it is written now and then. */
  lastNs: integer,
}
const RECORDED_VERSION = {
  ...SEEN_VERSION,
  /** The id of the annotation that was made of it. */
  annotation: optional(text),
}
export type SeenVersion = RecordOf<typeof SEEN_VERSION>
export type RecordedVersion = RecordOf<typeof RECORDED_VERSION>
export const RECORDED_VERSION_CODEC = createCodec(RECORDED_VERSION)

/** Versions that events of a dataset carried, each of a service in an environment. */
export interface SeenVersionsTable extends RowOf<typeof RECORDED_VERSION> {
  table_name: string
  /** The same as `first_ns`: programs before this one read it. */
  since_ns: bigint
}
