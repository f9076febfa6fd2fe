/**
 * A source of series other than the service's events. Each is one file beside this one, and a row in `sources.ts`. A source does no I/O:
 * it builds requests, and `exchange` sends them.
 */
import type { Ask } from '../comparison.ts'
import type { NamedQuery } from '../named-queries.ts'

/** One request to the server of a source, always a POST. */
interface SourceRequest {
  /** The path from the root of the server, with its query. */
  path: string
  headers?: Readonly<Record<string, string>>
  body: string
}

/** Parses an answer. */
export interface AnswerReader<T> {
  /** @returns `undefined` for a body of another form */
  read: (body: unknown) => T | undefined
  /** The expected form, in words. */
  expected: string
}

/**
 * Sends a request and reads the JSON of its answer.
 * @throws an error that says that it could not be sent, was refused, or has another form
 */
export type Exchange = <T>(request: SourceRequest, reader: AnswerReader<T>) => Promise<T>

/** Where series come from. */
export interface Source {
  /**
   * @param timeMs the time at which the metrics must exist
   * @returns the default queries
   * @throws ComparisonError if there is no known metric
   */
  chooseQueries(timeMs: number): Promise<NamedQuery[]>
  ask: Ask
}

interface SourceSettings {
  /** The path of the server's address, without a slash at its end. */
  path: string
  /** The value of the label that names the service, with other labels if needed: `{more="labels"}`; '' if there are queries. */
  service: string
  /** The window after the event, in milliseconds. */
  afterMs: number
  /** The tenant, if the server has several; otherwise ''. */
  tenant: string
  /** Whether messages may name other services of the server; by default they do, because it is that of whoever reads them. */
  mayNameOthers?: boolean
}

export type CreateSource = (exchange: Exchange, settings: SourceSettings) => Source

/** The approximate number of buckets in a window. */
const BUCKETS = 10
const BUCKET_MS_MIN = 60_000

/** @returns the default length of a bucket; whole seconds, because the servers need them */
export function bucketMsOf(afterMs: number): number {
  return Math.max(BUCKET_MS_MIN, roundUp(afterMs / BUCKETS, 1_000))
}

export function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit
}

/** @returns the name of a service, and the other labels of its series */
export function readService(service: string): { name: string; more: readonly string[] } {
  const [, name = service, labels = ''] = /^([^{}]*)\{(.*)\}$/.exec(service) ?? []
  return { name: name.trim(), more: labels.trim() === '' ? [] : [labels.trim()] }
}

/** @returns a quoted text for PromQL, LogQL and SQL, which share these escapes */
export function quoteText(text: string, quote: '"' | "'" = '"'): string {
  return `${quote}${text.replace(/[\\"']/g, (sign) => (sign === '\\' || sign === quote ? `\\${sign}` : sign)).replaceAll('\n', '\\n')}${quote}`
}
