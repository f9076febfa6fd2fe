/**
 * Reads the options of an ingest request from its headers and query, before any byte of its body.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { CSV_FIELDS_HEADER, EVENT_LABELS_HEADER } from '@deployment-annotations/contract/header'
import { invalid, quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import { parseLayout, type TimeLayout } from '../scan/go-layout.ts'
import { FIELD_NAME_BYTES_MAX, LABELS_BYTES_MAX } from '../scan/limits.ts'

export interface IngestOptions {
  kind: 'json' | 'csv'
  timestampField: string | undefined
  layout: TimeLayout | undefined
  csvDelimiter: string | undefined
  csvFields: readonly string[] | undefined
  /** A JSON object, as bytes. */
  labels: Buffer | undefined
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>
export type Query = Readonly<Record<string, unknown>>

/** Of ASCII, all bytes mean the same in UTF-8. */
const CHARSETS = new Set(['utf-8', 'utf8', 'us-ascii'])
const CSV_TYPES = new Set(['text/csv', 'application/csv'])
/** JSON, also as the suffix of another type (`application/cloudevents+json`), and NDJSON under each of its names. */
const JSON_TYPES = /^(?:application|text)\/(?:[\w.-]+\+)?(?:x-)?(?:json|ndjson|nd-json|jsonl|json-lines|jsonlines)$/

/** @throws ServiceError `unsupported_media_type`, `invalid` */
export function readOptions(headers: Headers, query: Query): IngestOptions {
  const layoutText = one(query, 'timestamp-format')
  const layout = layoutText === undefined ? undefined : parseLayout(layoutText)
  if (typeof layout === 'string') {
    throw invalid(VALIDATION_CODES.pattern, `timestamp-format ${quoted(layoutText as string)} is not a Go time layout: ${layout}`)
  }
  return {
    kind: kindOf(text(headers['content-type'])),
    timestampField: fieldOf(one(query, 'timestamp-field')),
    layout,
    csvDelimiter: delimiterOf(one(query, 'csv-delimiter')),
    csvFields: bytesOf(headers[CSV_FIELDS_HEADER])
      ?.toString()
      .split(',')
      .map((name) => name.trim()),
    labels: labelsOf(bytesOf(headers[EVENT_LABELS_HEADER])),
  }
}

function kindOf(contentType: string | undefined): 'json' | 'csv' {
  if (contentType === undefined || contentType === 'application/json' || contentType.trim() === '') return 'json'
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase())
  const [charset] = parameters.flatMap((parameter) => /^charset=(.*)/.exec(parameter)?.[1]?.replaceAll('"', '') ?? [])
  if (charset !== undefined && !CHARSETS.has(charset)) {
    throw new ServiceError('unsupported_media_type', `the charset ${quoted(charset)} is not supported; send UTF-8`)
  }
  if (CSV_TYPES.has(type)) return 'csv'
  if (JSON_TYPES.test(type)) return 'json'
  throw new ServiceError(
    'unsupported_media_type',
    `Content-Type ${quoted(contentType)} is not supported; send application/json, application/x-ndjson or text/csv`,
  )
}

function fieldOf(name: string | undefined): string | undefined {
  if (name === undefined || Buffer.byteLength(name) <= FIELD_NAME_BYTES_MAX) return name
  throw invalid(VALIDATION_CODES.tooLong, `timestamp-field ${quoted(name)} is longer than ${FIELD_NAME_BYTES_MAX} bytes`)
}

function delimiterOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const delimiter = given === '\\t' || given === 'tab' ? '\t' : given
  if ([...delimiter].length !== 1 || /["\r\n]/.test(delimiter)) {
    throw invalid(
      VALIDATION_CODES.pattern,
      `csv-delimiter must be one character other than a quote or line break, got ${quoted(given)}`,
    )
  }
  return delimiter
}

function labelsOf(bytes: Buffer | undefined): Buffer | undefined {
  if (bytes !== undefined && bytes.length > LABELS_BYTES_MAX) {
    throw invalid(
      VALIDATION_CODES.tooLong,
      `X-Axiom-Event-Labels has ${bytes.length} bytes; at most ${LABELS_BYTES_MAX} are allowed`,
    )
  }
  return bytes
}

/** Returns the bytes of a header, which Node gives as Latin-1 characters. A blank one counts as absent. */
function bytesOf(value: Headers[string]): Buffer | undefined {
  const header = text(value)
  return header === undefined || header.trim() === '' ? undefined : Buffer.from(header, 'latin1')
}

function text(value: Headers[string]): string | undefined {
  return Array.isArray(value) ? value.join(',') : value
}

/** Returns a parameter. An empty one counts as absent, and the last of several counts. */
function one(query: Query, name: string): string | undefined {
  const given = query[name]
  const value = Array.isArray(given) ? given.at(-1) : given
  return typeof value === 'string' && value !== '' ? value : undefined
}
