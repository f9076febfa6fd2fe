/**
 * The request of a query, read and checked: its interval `[start, end)` to the nanosecond, and the members that both query endpoints
 * share. Nothing in it is trusted; what is wrong with it becomes an answer that says so.
 */
import { QueryError } from '@deployment-annotations/apl/error'
import type { Variables } from '@deployment-annotations/apl/query/resolve'
import { ROW_DIGITS, type RowPlace, TIME_DIGITS } from '@deployment-annotations/apl/sql/row-id'
import { parseDuration, UNIT_NS } from '@deployment-annotations/contract/duration'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { endOfMillisecond, withinYears } from '@deployment-annotations/contract/relative-time'
import { formatTimestamp, isStorable } from '@deployment-annotations/contract/timestamp'
import { invalid, quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import { isObject } from '../wire/is-object.ts'
import { readTime, ZERO_TIME } from '../wire/request-time.ts'

/** @returns the answer to a query that cannot be compiled: its place, the line with a caret, and what to do */
function describeQueryError(error: QueryError): ServiceError {
  const { code, line, column, message, dataset, suggestion } = error
  return new ServiceError(dataset === undefined ? 'query' : 'not_found', error.explain(), {
    detail: { errorType: code, line, column, message, ...(suggestion !== undefined && { suggestion }) },
    cause: error,
  })
}

/**
 * @param onAbsent is told of a dataset that is not there for the caller, whether it is or not, before anything else is said of it
 * @returns what `compile` returns
 * @throws ServiceError for a mistake in the query, `not_found` where a dataset is not there
 */
export function answeringQueryErrors<T>(compile: () => T, onAbsent: (dataset: string) => void = () => {}): T {
  try {
    return compile()
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    if (error.dataset !== undefined) onAbsent(error.dataset)
    throw describeQueryError(error)
  }
}

export interface QueryRange {
  startNs: bigint
  endNs: bigint
  /** What the caller should know about it. */
  warning?: string
}

/** The interval where none is given: long, so that recent data is seen whole, and still bounded. */
const DEFAULT_WINDOW_DAYS = 365n

/**
 * @param nowNs what "now" stands for: the end of this millisecond
 * @throws ServiceError `invalid` if a time cannot be read, `malformed` where the interval ends before it starts
 */
export function readRange(start: unknown, end: unknown, nowNs: bigint): QueryRange {
  // Published clients in Go send the zero time for what is not given; with an end it is a start before everything.
  const endTime = end === ZERO_TIME ? undefined : end
  const startTime = start === ZERO_TIME && !isGiven(endTime) ? undefined : start
  const endNs = isGiven(endTime) ? readBound('endTime', endTime, nowNs) : nowNs
  const startNs = isGiven(startTime) ? readBound('startTime', startTime, nowNs) : endNs - DEFAULT_WINDOW_DAYS * UNIT_NS.d
  if (endNs < startNs) {
    throw new ServiceError('malformed', `the query ends (${show(endNs)}) before it starts (${show(startNs)})`)
  }
  if (isGiven(startTime) && isGiven(endTime)) return { startNs, endNs }
  const missing = [!isGiven(startTime) && 'startTime', !isGiven(endTime) && 'endTime'].filter(Boolean).join(' and ')
  return {
    startNs,
    endNs,
    warning: `${missing} not given: the query covers ${show(startNs)} to ${show(endNs)}; give both, or write | where _time > ago(1h)`,
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function readBound(member: string, value: unknown, nowNs: bigint): bigint {
  if (typeof value === 'string') return readTime(member, value, nowNs)
  throw invalid(VALIDATION_CODES.type, `${member} must be a string, got ${typeof value}`)
}

const show = (ns: bigint) => formatTimestamp(withinYears(ns))

type Members = Readonly<Record<string, unknown>>

export interface QueryRequest {
  range: QueryRange
  nowNs: bigint
  /** With the text that was sent, to be echoed. */
  cursor: (RowPlace & { inclusive: boolean; text: string }) | undefined
  /** Whether the answer says how many rows match. */
  countMatches: boolean
  /** Whether each row comes with its cursor. */
  includeCursorField: boolean
  members: Members
}

/** A request as it came. */
export interface SentQuery {
  body: unknown
  /** The query parameters of these names, for clients that do not send the members; those of the body count more. */
  cursor?: unknown
  countMatches?: unknown
}

interface AplRequest extends QueryRequest {
  apl: string
  defaultLimit: number | undefined
  variables: Variables
}

/** @throws ServiceError `invalid`, `malformed` */
export function readQueryRequest({ body, cursor, countMatches }: SentQuery, nowMs: number): QueryRequest {
  if (body === undefined) throw invalid(VALIDATION_CODES.required, 'the body is required: a JSON object')
  if (!isObject(body)) throw invalid(VALIDATION_CODES.type, 'the body must be a JSON object')
  const members: Members = body
  const nowNs = endOfMillisecond(nowMs)
  const inclusive = optional(members, 'includeCursor', 'boolean') ?? false
  const text = optional(members, 'cursor', 'string') ?? (typeof cursor === 'string' ? cursor || undefined : undefined)
  return {
    members,
    nowNs,
    range: readRange(members.startTime, members.endTime, nowNs),
    cursor: text === undefined ? undefined : { ...parseCursor(text), text, inclusive },
    countMatches:
      optional(members, 'countMatches', 'boolean') ?? readWord('countMatches', countMatches, ['true', 'false']) !== 'false',
    includeCursorField: optional(members, 'includeCursorField', 'boolean') ?? false,
  }
}

/** @throws ServiceError `invalid`, `malformed` */
export function readAplRequest(sent: SentQuery, nowMs: number): AplRequest {
  const request = readQueryRequest(sent, nowMs)
  const { members } = request
  const apl = optional(members, 'apl', 'string')
  if (apl === undefined) throw invalid(VALIDATION_CODES.required, 'apl is required: the text of the query')
  const defaultLimit = readLimit('defaultLimit', members.defaultLimit)
  return { ...request, apl, defaultLimit: defaultLimit || undefined, variables: readVariables(members.variables) }
}

/** More than a number can hold is as much as it can: the service answers with fewer rows in any case. */
function readLimit(name: string, sent: unknown): number | undefined {
  const value = optional({ [name]: typeof sent === 'bigint' ? Number(sent) : sent }, name, 'number')
  if (value !== undefined && (!Number.isInteger(value) || value < 0)) {
    throw invalid(VALIDATION_CODES.min, `${name} must be a whole number, 0 or more, got ${sent}`)
  }
  return value && Math.min(value, Number.MAX_SAFE_INTEGER)
}

interface Types {
  string: string
  boolean: boolean
  number: number
}

function optional<T extends keyof Types>(members: Members, name: string, type: T): Types[T] | undefined {
  const value = members[name]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== type) throw invalid(VALIDATION_CODES.type, `${name} must be a ${type}, got ${describe(value)}`)
  return value as Types[T]
}

const VARIABLES_MAX = 1_000

function readVariables(value: unknown): Variables {
  if (value === undefined || value === null || value === '') return {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalid(VALIDATION_CODES.type, `variables must be an object, got ${describe(value)}`)
  }
  const entries = Object.entries(value)
  if (entries.length > VARIABLES_MAX) throw invalid(VALIDATION_CODES.itemsMax, `variables has more than ${VARIABLES_MAX} members`)
  for (const [name, one] of entries) {
    if (one !== null && typeof one === 'object') {
      throw invalid(VALIDATION_CODES.type, `the variable ${quoted(name)} must be a string, number, boolean or null`)
    }
  }
  return Object.fromEntries(entries) as Variables
}

function describe(value: unknown): string {
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : typeof value
}

/**
 * @returns which of the words a query parameter is; `undefined` where it is not given or empty
 * @throws ServiceError `malformed` for one that does not exist
 */
export function readWord<const Word extends string>(name: string, parameter: unknown, words: readonly Word[]): Word | undefined {
  if (parameter === undefined || parameter === '') return undefined
  const word = words.find((known) => known === parameter)
  if (word !== undefined) return word
  throw new ServiceError('malformed', `${name} must be ${words.join(' or ')}, got ${quoted(String(parameter))}`)
}

/** A query is not held for longer, so that connections that nobody watches come to an end. */
const STREAMING_MS_MAX = 60_000

/** @returns milliseconds; 0 where the query is not to wait for rows. @throws ServiceError `malformed` for what is no duration */
export function readStreamingMs(parameter: unknown): number {
  if (parameter === undefined || parameter === '') return 0
  const ns = typeof parameter === 'string' ? parseDuration(parameter) : undefined
  if (ns === undefined)
    throw new ServiceError(
      'malformed',
      `streaming-duration must be a duration such as 5s or 500ms, got ${quoted(String(parameter))}`,
    )
  return Math.min(Number(ns / UNIT_NS.ms), STREAMING_MS_MAX)
}

const CURSOR = new RegExp(`^([0-9a-z]{${TIME_DIGITS}})([0-9a-f]{${ROW_DIGITS}})$`)

/** A cursor is the id of a row, so every `_rowId` of an answer is one. @throws ServiceError `malformed` where the text is not the id of a row */
function parseCursor(text: string): RowPlace {
  const [, time = '', row = ''] = CURSOR.exec(text) ?? []
  const unsigned = [...time].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)
  const timeNs = BigInt.asIntN(64, unsigned)
  if (time === '' || unsigned >= 1n << 64n || !isStorable(timeNs)) {
    throw new ServiceError(
      'malformed',
      `the cursor ${quoted(text)} cannot be read: send status.minCursor, status.maxCursor or a _rowId of an earlier answer as it was`,
    )
  }
  return { timeNs, row: BigInt(`0x${row}`) }
}
