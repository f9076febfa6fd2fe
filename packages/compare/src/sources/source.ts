/**
 * What a source of series is that are no events of the service. Each is one file beside this one, and a row in `sources.ts`. A source does
 * no I/O: it says what to ask, and `exchange` carries that.
 */
import type { Ask } from '../comparison.ts'
import type { NamedQuery } from '../named-queries.ts'

/** One request to the server of a source, always a POST. */
interface SourceRequest {
  /** From the root of the server, with its query. */
  path: string
  headers?: Readonly<Record<string, string>>
  body: string
}

/** How an answer is taken apart. */
export interface AnswerReader<T> {
  /** @returns `undefined` for a body of another form */
  read: (body: unknown) => T | undefined
  /** The form, in words. */
  expected: string
}

/** Sends a request and reads the JSON of its answer. @throws whatever says that it could not be sent, was refused, or has another form */
export type Exchange = <T>(request: SourceRequest, reader: AnswerReader<T>) => Promise<T>

/** Where series come from. */
export interface Source {
  /** @param timeMs when the metrics have to be there. @returns what to look at where nobody says. @throws ComparisonError where nothing is known */
  chooseQueries(timeMs: number): Promise<NamedQuery[]>
  ask: Ask
}

interface SourceSettings {
  /** The path of the server's address, without a slash at its end. */
  path: string
  /** The value of the label that names what was deployed, perhaps with `{more="labels"}`; '' where there are queries. */
  service: string
  /** The window after the event, in milliseconds. */
  windowMs: number
  /** Whose data it is, where the server keeps that of several; '' where it does not. */
  tenant: string
}

export type CreateSource = (exchange: Exchange, settings: SourceSettings) => Source

/** A window has about so many buckets. */
const BUCKETS = 10
const BUCKET_MS_MIN = 60_000

/** @returns how long a bucket is where nothing else is known; whole seconds, as the servers take it */
export function bucketMsOf(windowMs: number): number {
  return Math.max(BUCKET_MS_MIN, roundUp(windowMs / BUCKETS, 1_000))
}

export function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit
}

/** @returns the name of a service, and what else its series have to have */
export function readService(service: string): { name: string; more: readonly string[] } {
  const [, name = service, labels = ''] = /^([^{}]*)\{(.*)\}$/.exec(service) ?? []
  return { name: name.trim(), more: labels.trim() === '' ? [] : [labels.trim()] }
}

/** @returns a text as PromQL, LogQL and SQL write it: each knows these escapes */
export function quoteText(text: string, quote: '"' | "'" = '"'): string {
  return `${quote}${text.replace(/[\\"']/g, (sign) => (sign === '\\' || sign === quote ? `\\${sign}` : sign)).replaceAll('\n', '\\n')}${quote}`
}
